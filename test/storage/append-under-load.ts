// A process that appends checks until it is killed, and says which are recorded: one id a line, written
// synchronously, so that a line that was read was written after its append resolved.
import { writeSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { checkOf } from './rows.ts';

const [file = '', round = ''] = process.argv.slice(2);
const { checks } = await openSqliteStorage({ file, durability: 'commit' });

async function client(name: string): Promise<never> {
  for (let number = 0; ; number += 1) {
    const id = `chk_${round}_${name}_${number}`;
    await checks.append(checkOf(id));
    await announce(id);
  }
}

async function announce(id: string): Promise<void> {
  for (;;) {
    try {
      writeSync(1, `${id}\n`);
      return;
    } catch (error) {
      // The reader is behind and the pipe is full: nothing of so short a line was written.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      await turn();
    }
  }
}

await Promise.all(Array.from({ length: 64 }, (_, index) => client(String(index))));
