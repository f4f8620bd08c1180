import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { loadFailure, saveFailure } from './failure-file.ts';
import type { Step } from './fuzz-case.ts';

const every = Buffer.from(Array.from({ length: 256 }, (_, octet) => octet));
const send = (key: string): Step => ({
  send: Buffer.concat([every, Buffer.from(`Bearer ${key}\r\n`), every]),
});
const failure = {
  seed: 7,
  numbers: [12, 13],
  name: 'a test',
  listener: 'https' as const,
  faults: ['hung'],
  received: '',
  keys: ['pst_live_old', 'pst_test_old'],
  steps: [send('pst_live_old'), { pauseMs: 20 }, send('pst_test_old')],
};

it('a failed case is stored byte for byte, and sent again with the keys of another service', () => {
  const file = saveFailure(failure, temporaryDirectory());
  expect(loadFailure(file, failure.keys)).toEqual({ listener: 'https', steps: failure.steps });
  expect(loadFailure(file, ['pst_live_new', 'pst_test_new']).steps).toEqual([
    send('pst_live_new'),
    { pauseMs: 20 },
    send('pst_test_new'),
  ]);
});

it('its file names seed, case and fault in readable form', () => {
  const saved = JSON.parse(readFileSync(saveFailure(failure, temporaryDirectory()), 'utf8'));
  expect(saved).toMatchObject({ seed: 7, numbers: [12, 13], name: 'a test', faults: ['hung'] });
});
