import {
  type BadgeProps,
  type CSSVariablesResolver,
  createTheme,
  type DrawerProps,
  type InputWrapperProps,
  type MantineColorsTuple,
  type MenuProps,
  type ModalProps,
  type PasswordInputProps,
  type TableProps,
  type TooltipProps,
} from '@mantine/core';
import { BACKGROUND, CHART, QUIET, SURFACE, TEXT, TINT_HOVER_SHARE, TINT_SHARE, TINTS } from './palette.ts';

/** Cool greys: 7 is the page, 6 what stands on it, 4 a border, 0 text. */
const dark: MantineColorsTuple = [
  '#dfe3e8',
  '#c3cad2',
  '#a0a9b4',
  '#7b8591',
  '#343a42',
  '#2b3037',
  SURFACE[1],
  BACKGROUND[1],
  '#111417',
  '#0c0e10',
];

/** The close button is an icon, and needs an accessible name. */
const CLOSED_BY = { closeButtonProps: { 'aria-label': 'Close' } } satisfies Partial<ModalProps & DrawerProps>;

/** How the dashboard looks, in one place. Pages take sizes and colours from here and write none of their own. */
export const theme = createTheme({
  primaryColor: 'indigo',
  // Shade 6 on white is 4.4:1, short of what text needs.
  primaryShade: { light: 7, dark: 7 },
  colors: { dark },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  autoContrast: true,
  // Only types are imported: a component imported here would be loaded before the first page.
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Badge: { defaultProps: { variant: 'light', tt: 'none' } satisfies Partial<BadgeProps> },
    Button: { defaultProps: { size: 'sm' } },
    Drawer: { defaultProps: CLOSED_BY },
    // Most fields are required: those that are not say so.
    InputWrapper: { defaultProps: { withAsterisk: false } satisfies Partial<InputWrapperProps> },
    // A menu holds its items and nothing else that takes the focus (WAI-ARIA 1.2, menu).
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } satisfies Partial<MenuProps> },
    Modal: { defaultProps: CLOSED_BY },
    NavLink: { styles: { root: { borderRadius: 'var(--mantine-radius-md)' } } },
    Paper: { defaultProps: { withBorder: true, p: 'md' } },
    // Mantine takes the visibility button out of the tab order; keyboard users want to see the password too.
    PasswordInput: {
      defaultProps: { visibilityToggleFocusable: true } satisfies Partial<PasswordInputProps>,
    },
    Table: { defaultProps: { verticalSpacing: 'xs', horizontalSpacing: 'sm' } satisfies Partial<TableProps> },
    Tooltip: {
      defaultProps: {
        withArrow: true,
        events: { hover: true, focus: true, touch: true },
      } satisfies Partial<TooltipProps>,
    },
  },
});

const tint = (base: string, share: number) => `color-mix(in srgb, ${base} ${share * 100}%, transparent)`;

/** What the theme adds to Mantine's variables: text that stays readable, and the colours of charts. */
export const cssVariables: CSSVariablesResolver = () => {
  const scheme = (index: 0 | 1) => ({
    '--mantine-color-dimmed': TEXT.dimmed[index],
    '--mantine-color-anchor': TEXT.link[index],
    '--mantine-color-error': TEXT.error[index],
    '--mantine-color-placeholder': TEXT.dimmed[index],
    '--surface': SURFACE[index],
    ...Object.fromEntries(
      [...Object.entries(CHART), ...Object.entries(QUIET)].map(([name, pair]) => [`--${name}`, pair[index]]),
    ),
    ...Object.fromEntries(
      Object.entries(TINTS).flatMap(([color, { base, text }]) => [
        [`--mantine-color-${color}-light`, tint(base, TINT_SHARE[index])],
        [`--mantine-color-${color}-light-hover`, tint(base, TINT_HOVER_SHARE[index])],
        [`--mantine-color-${color}-light-color`, text[index]],
      ]),
    ),
  });
  return { variables: {}, light: scheme(0), dark: scheme(1) };
};
