"""Makes the spaces that the load books, through the API. Prints shell exports for load.lua."""
import json
import sys
import time
import urllib.request

BASE, COUNT = sys.argv[1], int(sys.argv[2])


def call(method, path, body=None, token=None):
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE + path, data=data, method=method, headers=headers)
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


def login(email, password):
    return call("POST", "/auth/login", {"email": email, "password": password})["token"]


admin = login("admin@coworkflow.local", "admin123")
member = login("user@coworkflow.local", "user123")
unit = call("POST", "/units", {"name": "Bench", "timezone": "America/Sao_Paulo", "address": "Rua do Teste, 1"}, admin)["id"]
call("PUT", f"/units/{unit}/tariff", {"valid_from": "2020-01-01", "rates": [{"type": "sala_de_reuniao", "hourly_cents": 5000}]}, admin)
day = [{"opens": "00:00", "closes": "24:00"}]
hours = {name: day for name in ("segunda", "terca", "quarta", "quinta", "sexta", "sabado", "domingo")}
spaces = [
    call("POST", "/spaces", {
        "unit_id": unit, "name": f"Sala {n}", "type": "sala_de_reuniao", "capacity": 4, "hours": hours,
        "rules": {"horizon_minutes": 2000 * 1440, "hold_minutes": 60},
    }, admin)["id"]
    for n in range(COUNT)
]
start = (int(time.time()) // 86400 + 2) * 86400
print(f"export TOKEN={member} SPACES={','.join(spaces)} START={start}")
