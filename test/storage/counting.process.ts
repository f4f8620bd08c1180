import { readFileSync } from 'node:fs';
import { whileHeld } from '../../src/storage/file-lock.ts';
import { replaceFile } from '../../src/storage/private-files.ts';

/** Counts up in a file so many times; by 0 it is killed while it holds the file. */
const [file = '', times = ''] = process.argv.slice(2);
if (times === '0') await whileHeld([file], async () => process.kill(process.pid, 'SIGKILL'));
for (let left = Number(times); left > 0; left--) {
  await whileHeld([file], () => replaceFile(file, `${Number(readFileSync(file, 'utf8')) + 1}`));
}
