import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryDirectory } from './temporary-directory.ts';

/** A child program that stands in for one of ours: `text` is the code that handles a message `m`. */
export function aProgram(text: string): URL {
  const file = join(temporaryDirectory(), 'program.mjs');
  writeFileSync(
    file,
    `process.on('message', (m) => { ${text} });
     process.on('disconnect', () => process.exit());`,
  );
  return pathToFileURL(file);
}
