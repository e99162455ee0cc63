-- SPDX-License-Identifier: GPL-3.0-or-later
-- workload.lua N: a mix of what Lua programs do. Nothing depends on addresses, time or the hash seed: no table keyed by
-- objects is walked, random numbers come from a generator of its own.
local n = tonumber(arg[1]) or 1
local state = 12345
local function random(limit)
  state = (state * 1103515245 + 12345) % 2147483648
  return state // 65536 % limit + 1
end

local function fib(k) return k < 2 and k or fib(k - 1) + fib(k - 2) end

local function closures(count)
  local makers = {}
  for i = 1, count do
    local total = i
    makers[i] = function(x) total = total + x; return total end
  end
  local sum = 0
  for round = 1, 5 do
    for i = 1, count do sum = sum + makers[i](round) end
  end
  return sum
end

local Vector = {}
Vector.__index = Vector
Vector.__add = function(a, b) return setmetatable({ x = a.x + b.x, y = a.y + b.y }, Vector) end
Vector.__eq = function(a, b) return a.x == b.x and a.y == b.y end
function Vector:length2() return self.x * self.x + self.y * self.y end

local function vectors(count)
  local sum = setmetatable({ x = 0, y = 0 }, Vector)
  local same = 0
  for i = 1, count do
    local other = setmetatable({ x = i % 7, y = i % 5 }, Vector)
    if sum == other then same = same + 1 end
    sum = sum + other
  end
  return sum:length2() + same
end

local function words(count)
  local seen, order = {}, {}
  for i = 1, count do
    local word = "w" .. random(500)
    if not seen[word] then
      seen[word] = 0
      order[#order + 1] = word
    end
    seen[word] = seen[word] + 1
  end
  table.sort(order, function(a, b)
    if seen[a] ~= seen[b] then return seen[a] > seen[b] end
    return a < b
  end)
  local text = table.concat(order, ",")
  local length = 0
  for digits in text:gmatch("w(%d+)") do length = length + #digits end
  return #text:gsub("1", "one"):upper() + length + (text:find("w99", 1, true) or 0)
end

local function sieve(limit)
  local composite, count = {}, 0
  for i = 2, limit do
    if not composite[i] then
      count = count + 1
      for j = i * i, limit, i do composite[j] = true end
    end
  end
  return count
end

local function quicksort(list, low, high)
  if low >= high then return end
  local pivot, i, j = list[(low + high) // 2], low, high
  repeat
    while list[i] < pivot do i = i + 1 end
    while list[j] > pivot do j = j - 1 end
    if i <= j then
      list[i], list[j] = list[j], list[i]
      i, j = i + 1, j - 1
    end
  until i > j
  quicksort(list, low, j)
  quicksort(list, i, high)
end

local function sorting(count)
  local list = {}
  for i = 1, count do list[i] = random(30000) end
  quicksort(list, 1, count)
  local other = {}
  for i = 1, count do other[i] = random(30000) end
  table.sort(other)
  return list[1] + list[count] + other[count // 2]
end

local function coroutines(count)
  local producer = coroutine.wrap(function()
    for i = 1, count do coroutine.yield(i) end
  end)
  local sum = 0
  for _ = 1, count do sum = sum + producer() end
  return sum
end

local function failures(count)
  local caught = 0
  for i = 1, count do
    if not pcall(function() if i % 2 == 0 then error("even") end end) then caught = caught + 1 end
  end
  return caught
end

local check = 0
for _ = 1, n do
  check = check + fib(18) + closures(300) + vectors(2000) + words(2000) + sieve(5000) + sorting(1000) + coroutines(500)
    + failures(200)
end
print(string.format("%d %.3f", check, check / 7))
