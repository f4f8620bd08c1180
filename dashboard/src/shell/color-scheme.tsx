import {
  localStorageColorSchemeManager,
  type MantineColorScheme,
  SegmentedControl,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { type Icon, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';

/** The key that dashboard/before-app.js reads before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'postern-color-scheme' });

const SCHEMES: readonly (readonly [MantineColorScheme, string, Icon])[] = [
  ['light', 'Light', IconSun],
  ['dark', 'Dark', IconMoon],
  ['auto', 'As the system', IconDeviceDesktop],
];

export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      size="xs"
      aria-label="Colours"
      value={colorScheme}
      onChange={setColorScheme}
      data={SCHEMES.map(([value, label, SchemeIcon]) => ({
        value,
        label: (
          <>
            <SchemeIcon size={16} aria-hidden style={{ display: 'block' }} />
            <VisuallyHidden>{label}</VisuallyHidden>
          </>
        ),
      }))}
    />
  );
}
