import { randomInt } from 'node:crypto';
import { once } from '../../lib/concurrency.ts';
import type { Count } from '../../provider-kit/index.ts';
import {
  type CountHash,
  countsValues,
  keysOf,
  lengthOf,
  MOST_VALUES,
  partOf,
  RETRY_MS,
  spanOf,
} from '../count-keys.ts';
import type { CountedCheck, CountReceipt, VelocityCounters } from '../ports.ts';
import type { Script, ValkeyConnection } from './connection.ts';

/** Keys expire by the server's clock, and parts go by the instances' clocks: the clocks may be so far apart. */
const SLACK_MS = 60_000;
/** The most counts kept to be undone once there is a connection again; the oldest are given up first. */
const MOST_OWED = 10_000;
const MOST_TOKEN = 2 ** 32;

type Undoing = Parameters<Script>;

/**
 * Counts in Valkey, in one round trip. A check is counted there at once, and undone where it is refused or where the answer came too
 * late for it. Counts are too high only by checks that were under way in an instance that was killed. Where the client tries such a
 * check again within ten minutes, it counts once.
 */
export class ValkeyVelocityCounters implements VelocityCounters {
  readonly #count: Script;
  readonly #undo: Script;
  /** Counts to be undone at the next connection, by the key of the retry. */
  readonly #owed = new Map<string, Undoing>();

  constructor(
    private readonly connection: ValkeyConnection,
    private readonly hashOf: CountHash,
  ) {
    this.#count = connection.script('posternCount', COUNT);
    this.#undo = connection.script('posternUndo', UNDO);
    connection.client.on('ready', () => this.#undoOwed());
  }

  async count(check: CountedCheck, counts: readonly Count[]): Promise<CountReceipt> {
    const { at } = check;
    const { retryKey, keyed } = keysOf(this.hashOf, check, counts);
    const entries = keyed.map(({ key, value, windows }) => {
      const span = spanOf(key);
      return {
        part: partOf(span, at),
        kept: span.kept,
        ttl: span.partMs * span.kept + SLACK_MS,
        ...(countsValues(key) && { value }),
        lengths: windows.map(([, window]) => lengthOf(window, span)),
      };
    });
    const token = randomInt(MOST_TOKEN);
    // `v` for velocity, before the letters of the key.
    const keys = [retryKey, ...keyed.map(({ key }) => key)].map((key) => `v${key}`);
    const undoing: Undoing = [keys, token, JSON.stringify(entries.map(({ value = false }) => value))];
    const end = once((isCounted: boolean) => {
      if (!isCounted) this.#takeBack(undoing);
    });
    let numbers: readonly number[];
    try {
      const asked = this.#count(keys, JSON.stringify({ at, token, retryTtl: RETRY_MS + SLACK_MS, entries }));
      // A script that answers a list of whole numbers.
      numbers = await this.connection.answer(asked as Promise<readonly number[]>);
    } catch (error) {
      end(false);
      this.connection.miss('velocity', error);
      throw error;
    }
    const facts = keyed.flatMap(({ windows }) => windows.map(([fact]) => fact));
    // At least 1: a retry may ask for counts under which the first try was not counted.
    const told = facts.map((fact, place) => [fact, Math.max(1, numbers[place] ?? 0)]);
    return { numbers: Object.fromEntries(told), settle: async () => end(true), undo: async () => end(false) };
  }

  /** Undoes a count: after it on the same connection, or on the next one where that is gone. The check does not wait for it. */
  #takeBack(undoing: Undoing): void {
    this.#undo(...undoing).catch(() => {
      const [[retryKey = '']] = undoing;
      this.#owed.set(retryKey, undoing);
      const [oldest = ''] = this.#owed.keys();
      if (this.#owed.size > MOST_OWED) this.#owed.delete(oldest);
    });
  }

  #undoOwed(): void {
    const owed = [...this.#owed.values()];
    this.#owed.clear();
    for (const undoing of owed) this.#takeBack(undoing);
  }
}

/**
 * The scripts that count, each atomic. They store and read entries as src/shared-state/memory/velocity-counters.ts does, so that the
 * numbers are the same; a test compares the two. An entry is a list of pairs, the oldest first: a part and its number of checks, or
 * the part in which a value was last counted and the value. MessagePack takes some six octets for a pair. A retry's record holds when
 * the check was counted, the token of the call, and for each entry the part in which it was counted and, for different values, the
 * part in which the value was counted before. By that record a count can be undone even where its answer never came.
 */

const NONE = -1;

/**
 * KEYS: the retry's, then one for each entry. ARGV: JSON of `at`, `token`, `retryTtl`, and of each entry: `part`, `kept`, `ttl`,
 * `value` where different values are counted, and `lengths` of windows in parts. Answers the number of each window in order.
 */
const COUNT = `
local check = cjson.decode(ARGV[1])
local lists, ttls = {}, {}

local function listOf(key)
  local packed = lists[key] == nil and redis.call('GET', key)
  if packed then lists[key] = cmsgpack.unpack(packed) end
  return lists[key] or {}
end

-- Where those of the last parts begin; behind the end where the clock was ahead by all that is kept: counting begins anew.
local function startOf(list, part, length, kept)
  local newest = list[#list - 1] or part
  if newest - part >= kept then return #list + 1 end
  local last, start = math.max(part, newest) - length, #list + 1
  while start > 1 and list[start - 2] > last do start = start - 2 end
  return start
end

local function add(list, entry)
  local kept = {}
  -- Not by unpack, which takes 8,000 numbers at most: in 30 days there are 17,280 where the shortest window is an hour.
  for i = startOf(list, entry.part, entry.kept, entry.kept), #list do kept[#kept + 1] = list[i] end
  local newest = kept[#kept - 1]
  local part, before = math.max(newest or 0, entry.part), ${NONE}
  if not entry.value then
    if part ~= newest then
      kept[#kept + 1] = part
      kept[#kept + 1] = 0
    end
    kept[#kept] = kept[#kept] + 1
    return kept, part, before
  end
  for i = #kept, 2, -2 do
    if kept[i] == entry.value then
      before = kept[i - 1]
      table.remove(kept, i)
      table.remove(kept, i - 1)
      break
    end
  end
  if #kept > 2 * ${MOST_VALUES - 1} then
    table.remove(kept, 1)
    table.remove(kept, 1)
  end
  kept[#kept + 1] = part
  kept[#kept + 1] = entry.value
  return kept, part, before
end

local retry = redis.call('GET', KEYS[1])
local isRetry = retry and math.abs(check.at - cmsgpack.unpack(retry)[1]) < ${RETRY_MS}
if not isRetry then
  local record = {check.at, check.token}
  for i, entry in ipairs(check.entries) do
    local key = KEYS[i + 1]
    local list, part, before = add(listOf(key), entry)
    lists[key], ttls[key] = list, entry.ttl
    record[#record + 1] = part
    record[#record + 1] = before
  end
  for key, ttl in pairs(ttls) do redis.call('SET', key, cmsgpack.pack(lists[key]), 'PX', ttl) end
  redis.call('SET', KEYS[1], cmsgpack.pack(record), 'PX', check.retryTtl)
end

local numbers = {}
for i, entry in ipairs(check.entries) do
  local list = listOf(KEYS[i + 1])
  for _, length in ipairs(entry.lengths) do
    local number = 0
    for j = startOf(list, entry.part, length, entry.kept) + 1, #list, 2 do
      number = number + (entry.value and 1 or list[j])
    end
    numbers[#numbers + 1] = number
  end
end
return numbers
`;

/** KEYS as above. ARGV: the token, and JSON of the value of each entry, false where checks are counted. Does nothing a second time. */
const UNDO = `
local packed = redis.call('GET', KEYS[1])
local record = packed and cmsgpack.unpack(packed)
if not record or record[2] ~= tonumber(ARGV[1]) then return end
redis.call('DEL', KEYS[1])
for i, value in ipairs(cjson.decode(ARGV[2])) do
  local key, part, before = KEYS[i + 1], record[2 * i + 1], record[2 * i + 2]
  local kept = redis.call('GET', key)
  local list = kept and cmsgpack.unpack(kept) or {}
  for j = #list, 2, -2 do
    if list[j - 1] == part and (not value or list[j] == value) then
      if not value then list[j] = list[j] - 1 end
      if value or list[j] == 0 then
        table.remove(list, j)
        table.remove(list, j - 1)
      end
      if value and before ~= ${NONE} then
        local place = #list + 1
        while place > 1 and list[place - 2] > before do place = place - 2 end
        table.insert(list, place, value)
        table.insert(list, place, before)
      end
      break
    end
  end
  if #list > 0 then redis.call('SET', key, cmsgpack.pack(list), 'KEEPTTL') elseif kept then redis.call('DEL', key) end
end
`;
