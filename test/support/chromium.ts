import { spawnSync } from 'node:child_process';

/** Debian's, found on the path, for no browser comes with the packages; null where there is none. */
export const CHROMIUM: string | null =
  spawnSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).stdout?.trim() || null;

/** As root, in a container, on a machine without a screen. */
export const CHROMIUM_FLAGS = ['--no-sandbox', '--disable-gpu'];

if (CHROMIUM === null) console.info('There is no Chromium here: what is shown in a browser is not tested.');
