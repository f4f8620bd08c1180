import { spawnSync } from 'node:child_process';

/** Debian's, found on the path, for no browser comes with the packages; null where there is none. */
export const CHROMIUM: string | null =
  spawnSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).stdout?.trim() || null;

/**
 * Of several lists of features Chromium takes the last, so that this one stands for Playwright's own: what of that could change what a
 * scenario sees, and what is drawn beneath an address bar that no test looks at, by a process more for each window.
 */
const DISABLED_FEATURES = [
  ...[
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsUpgrades',
    'PaintHolding',
  ],
  ...['HttpsFirstBalancedModeAutoEnable', 'MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints'],
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
];

/** As root, in a container, on a machine without a screen. */
export const CHROMIUM_FLAGS = ['--no-sandbox', '--disable-gpu', `--disable-features=${DISABLED_FEATURES}`];

if (CHROMIUM === null) console.info('There is no Chromium here: what is shown in a browser is not tested.');
