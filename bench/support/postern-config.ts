import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a configuration whose limits are in force but too high to be reached. Returns its path. */
export function writeConfig(
  directory: string,
  dnsServer: string,
  more: Readonly<Record<string, unknown>> = {},
): string {
  const file = join(directory, 'bench.yaml');
  // JSON is YAML.
  const settings = {
    dns: { servers: [dnsServer] },
    rate_limit: { requests: 1_000_000_000 },
    quota: { checks_per_month: 1_000_000_000 },
    log: { level: 'info' },
    ...more,
  };
  writeFileSync(file, JSON.stringify(settings));
  return file;
}
