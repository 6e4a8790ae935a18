/**
 * The script of a bucket for RateLimiterRedis (`customIncrTtlLuaScript`), in the place of its fixed window: KEYS[1] holds
 * the instant at which the bucket will be full, by the server's clock; ARGV: points to take (negative: to give back),
 * the library's seconds, points of a full bucket, seconds in which it fills. Answers as the library's own script does:
 * points taken out of the bucket, more than a full one where there are not enough, and milliseconds until the bucket is
 * full, or until there are enough.
 */
export const bucketScript = `
local time = redis.call('time')
local now = time[1] * 1000 + time[2] / 1000
local fill = ARGV[4] * 1000
local interval = fill / ARGV[3]
local full = tonumber(redis.call('get', KEYS[1]) or now)
if full < now then full = now end
local after = full + ARGV[1] * interval
if after < now then after = now end
local wait = after - now - fill
if tonumber(ARGV[1]) > 0 and wait > 0.001 then
  return { ARGV[3] + 1, math.ceil(wait) }
end
if after > now then
  redis.call('set', KEYS[1], string.format('%.3f', after), 'PX', math.ceil(after - now))
else
  redis.call('del', KEYS[1])
end
return { math.ceil((after - now - 0.001) / interval), math.ceil(after - now) }
`;
