# The commands of CoworkFlow; what they do is in scripts/. `make` alone lists them.
CONFIG ?= debug
PORT ?= 8000
SPLIT ?= 0
DEMO_DAYS ?= 30
export CONFIG PORT SPLIT DEMO_DAYS

# Should make itself be killed, the script is told to stop and cleans up.
RUN = @exec setpriv --pdeathsig TERM

.PHONY: help run test stop format clean chaos bench bench-engine bench-memory bench-transfer order

help:
	@echo 'make run      set up what is missing, build, start everything; Ctrl-C stops it'
	@echo '              CONFIG=release  optimised build    PORT=8080  another port    SPLIT=1  a process a role'
	@echo '              DEMO_DAYS=0  simulated days of demo data at the first start (30)'
	@echo 'make test     format, build, all tests, on servers of its own'
	@echo 'make stop     stop a run of this checkout, and what a killed one left'
	@echo 'make format   format the Swift sources'
	@echo 'make chaos    break everything in turn during a stream of work, and check that nothing was lost'
	@echo '              CHAOS_MINUTES=60  for so long    CHAOS_SEED=1  the same faults again'
	@echo 'make bench    measure bookings a second; make bench-engine the event store alone'
	@echo 'make bench-memory  memory of each idle role; make bench-transfer log export and import'
	@echo 'make order    note which functions a start runs, for the linker of release builds'
	@echo 'make clean    delete what was built; DATA=1 also the data of make run'

run:
	$(RUN) scripts/run.sh

test:
	$(RUN) scripts/test.sh

stop:
	@scripts/stop.sh

format:
	@swift format --in-place --recursive --parallel Sources Tests benchmarks Package.swift

chaos:
	$(RUN) scripts/chaos.sh

bench:
	$(RUN) benchmarks/run.sh

bench-engine:
	$(RUN) benchmarks/engine.sh

bench-memory:
	$(RUN) benchmarks/memory.sh

bench-transfer:
	$(RUN) benchmarks/transfer.sh

order:
	$(RUN) scripts/order.sh

clean: stop
	@if [ '$(DATA)' = 1 ] && [ -d .coworkflow ]; then scripts/servers.sh remove .coworkflow && rm -rf .coworkflow; fi
	@rm -rf .build .build-test-servers
