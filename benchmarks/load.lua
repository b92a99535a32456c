-- wrk script. MODE=book: every POST asks for an hour of its own, so that none is refused; MODE=read: the newest bookings.
-- TOKENS, SPACES: comma-separated; START: epoch seconds of the first hour.
local mode = os.getenv("MODE") or "read"
local spaces = {}
for id in (os.getenv("SPACES") or ""):gmatch("[^,]+") do spaces[#spaces + 1] = id end
local headers = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. (os.getenv("TOKEN") or "") }
local first = tonumber(os.getenv("START") or "0")
local threads = 0
function setup(thread)
    thread:set("id", threads)
    threads = threads + 1
end
local n = 0
local function iso(t) return os.date("!%Y-%m-%dT%H:%M:%SZ", t) end
function request()
    if mode ~= "book" then return wrk.format("GET", nil, headers) end
    -- Each of two threads has half of the spaces for itself.
    local half = math.floor(#spaces / 2)
    local space = spaces[(n % half) + 1 + id * half]
    local start = first + math.floor(n / half) * 3600
    n = n + 1
    return wrk.format("POST", nil, headers,
        string.format('{"space_id":"%s","start_time":"%s","end_time":"%s"}', space, iso(start), iso(start + 3600)))
end
function done(summary, latency)
    local e = summary.errors
    print(string.format(
        'RESULT {"case":"%s","req_s":%.1f,"p50_ms":%.2f,"p99_ms":%.2f,"max_ms":%.1f,"requests":%d,"non_2xx":%d,"socket_errors":%d}',
        os.getenv("CASE") or mode, summary.requests / (summary.duration / 1e6), latency:percentile(50) / 1000,
        latency:percentile(99) / 1000, latency.max / 1000, summary.requests, e.status, e.connect + e.read + e.write + e.timeout))
end
