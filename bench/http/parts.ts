/** What of a check over HTTP can be left out, to see what it costs. */
export const PARTS = {
  key: 'reading the key from the store, comparing its hash',
  limit: 'rate limit and quota, with their headers',
  body: 'reading and parsing the body',
  pipeline: 'address, signals and decision',
  record: 'writing the row: JSON, the hand-over to the writer, its commit with fsync',
  fsync: 'waiting for the commit (`audit.durability: async` instead)',
  log: 'the line per request (`log.level: silent` instead)',
} as const;

export type Part = keyof typeof PARTS;

/** Parts that the configuration can switch off. */
export const BY_CONFIGURATION: Partial<Record<Part, Readonly<Record<string, unknown>>>> = {
  fsync: { audit: { durability: 'async' } },
  log: { log: { level: 'silent' } },
};
