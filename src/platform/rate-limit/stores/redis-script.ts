/**
 * Spends from a hash per bucket, all of them in one step, by the server's clock. KEYS are buckets,
 * ARGV limit, length and cost of each in turn; answers granted, remaining, resets_at in turn. A
 * bucket with nothing left is only read, so that a flood costs no writes.
 */
export const SPEND_LUA = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local spent = {}
for i, key in ipairs(KEYS) do
  local limit, length, cost = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i])
  local window = redis.call('HMGET', key, 'used', 'resets_at')
  local used, resets_at = tonumber(window[1] or 0), tonumber(window[2] or 0)
  if resets_at <= now then
    used, resets_at = 0, now + length
    redis.call('HSET', key, 'used', 0, 'resets_at', string.format('%.0f', resets_at))
    redis.call('PEXPIRE', key, length)
  end
  local granted = math.max(0, math.min(cost, limit - used))
  if granted > 0 then
    redis.call('HINCRBY', key, 'used', granted)
  end
  spent[3 * i - 2], spent[3 * i - 1], spent[3 * i] = granted, math.max(0, limit - used - granted), resets_at
end
return spent`;
