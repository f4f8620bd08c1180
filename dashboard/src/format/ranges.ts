const HOUR = 3_600_000;

/** Lengths of ranges that end now, in milliseconds. */
export const PRESETS = { '24h': 24 * HOUR, '7d': 7 * 24 * HOUR, '30d': 30 * 24 * HOUR } as const;
export type Preset = keyof typeof PRESETS;

/** What a page looks at: a span that ends now, or one between two instants (ISO 8601, UTC). */
export type Range = { readonly preset: Preset } | { readonly from: string; readonly to: string };

export function lengthOf(range: Range): number {
  return 'preset' in range ? PRESETS[range.preset] : Date.parse(range.to) - Date.parse(range.from);
}

/** From `?range=7d` or `?from=…&to=…`; a range that cannot be read is the last 24 hours. */
export function readRange(search: URLSearchParams): Range {
  const [from, to] = [instant(search.get('from')), instant(search.get('to'))];
  if (from !== undefined && to !== undefined && from < to) return { from, to };
  const preset = search.get('range');
  return { preset: isPreset(preset) ? preset : '24h' };
}

/** The search parameters of a range, with null for those that it does not have; all of time has none. */
export function addressOf(range: Range | null) {
  const none = { range: null, from: null, to: null };
  if (range === null) return none;
  return 'preset' in range ? { ...none, range: range.preset } : { ...none, ...range };
}

function isPreset(text: string | null): text is Preset {
  return text !== null && Object.hasOwn(PRESETS, text);
}

function instant(text: string | null): string | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
