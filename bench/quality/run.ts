// `npm run bench:quality`: measures the quality of all signals and writes docs/quality.md.
// `npm run bench:quality -- syntax free`: measures these, prints them, and writes nothing.
// Exit code 2: the run is impossible; standard error says why.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installPeers } from '../install-peers.ts';
import { writeResults } from '../report/write-results.ts';
import { MeasuringData } from './measuring-data.ts';
import { isSignalName, SIGNAL_FILES, type SignalName } from './signal-files.ts';

const { folder, named } = readArguments();
const names = named.length === 0 ? Object.keys(SIGNAL_FILES).filter(isSignalName) : named;
const data = new MeasuringData(folder);
const missing = data.missing(names.flatMap((name) => SIGNAL_FILES[name]));
if (missing.length > 0) {
  refuse(
    `The labelled rows are no part of Postern, and these files are missing from ${data.folder}:`,
    ...missing.map((file) => `  ${file}`),
    'Put them there, or name another folder: npm run bench:quality -- --data DIR, or POSTERN_MEASURING_DATA=DIR.',
    'docs/quality.md says what each holds and where the rows are from.',
  );
}

installPeers();
const { quality } = await import('./quality.ts');
try {
  const results = await quality(names, data);
  console.log(results);
  if (named.length === 0) writeResults('docs/quality.md', 'npm run bench:quality', results);
} finally {
  rmSync(fileURLToPath(new URL('../data', import.meta.url)), { recursive: true, force: true });
}
// The pipeline keeps its DNS client open.
process.exit();

function readArguments(): { readonly folder: string | undefined; readonly named: readonly SignalName[] } {
  try {
    const { values, positionals } = parseArgs({
      options: { data: { type: 'string' } },
      allowPositionals: true,
    });
    const unknown = positionals.filter((name) => !isSignalName(name));
    if (unknown.length > 0) {
      refuse(`There is no signal ${unknown.join(', ')}; there are ${Object.keys(SIGNAL_FILES).join(', ')}.`);
    }
    return { folder: values.data, named: positionals.filter(isSignalName) };
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function refuse(...lines: readonly string[]): never {
  console.error(lines.join('\n'));
  process.exit(2);
}
