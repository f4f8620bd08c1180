/** A colour in light and in dark. */
export type Pair = readonly [light: string, dark: string];

/** Backgrounds of pages; every other colour here is measured against both. */
export const BACKGROUND: Pair = ['#ffffff', '#16191d'];
/** Backgrounds of cards and side bars. */
export const SURFACE: Pair = ['#ffffff', '#1c2025'];

/**
 * Colours of marks in charts, told apart in the common forms of colour blindness (after Okabe and Ito, "Color universal
 * design", 2008, darkened or lightened to 3:1 against the background: WCAG 2.2, 1.4.11). A test measures them.
 */
export const CHART = {
  'chart-1': ['#3b5bdb', '#849dff'],
  'chart-2': ['#b45309', '#f0a04b'],
  'chart-3': ['#0b7f77', '#45c4b8'],
  'chart-4': ['#a8327d', '#e58ac4'],
  'chart-5': ['#5b6570', '#9aa4af'],
  'chart-allow': ['#0b7f77', '#45c4b8'],
  'chart-block': ['#c2410c', '#fb8a55'],
  'chart-threshold': ['#212529', '#f1f3f5'],
} as const satisfies Record<string, Pair>;

export type ChartColor = keyof typeof CHART;

/** In the order in which series take them. */
const SERIES_COLORS: readonly ChartColor[] = ['chart-1', 'chart-2', 'chart-3', 'chart-4', 'chart-5'];

/** Text, measured at 4.5:1 (WCAG 2.2, 1.4.3). */
export const TEXT = {
  dimmed: ['#59636e', '#a0a9b4'],
  error: ['#c92a2a', '#ff9a9a'],
  link: ['#3b5bdb', '#91a7ff'],
} as const satisfies Record<string, Pair>;

/** Backgrounds of badges and notices, mixed from `base` into what lies below; and the text on them, measured at 4.5:1. */
export const TINTS = {
  indigo: { base: '#4c6ef5', text: ['#364fc7', '#b4c4ff'] },
  red: { base: '#fa5252', text: ['#9b1c1c', '#ffb3b3'] },
  orange: { base: '#fd7e14', text: ['#8a3500', '#ffc08a'] },
  yellow: { base: '#fab005', text: ['#6f4500', '#ffe08a'] },
  teal: { base: '#12b886', text: ['#075c47', '#7ee3c4'] },
  gray: { base: '#868e96', text: ['#41484f', '#c9d0d7'] },
} as const satisfies Record<string, { readonly base: string; readonly text: Pair }>;

/** How much of the base is in a tint, in light and in dark. */
export const TINT_SHARE = [0.13, 0.18] as const;
/** How much of the base is in a tint under the pointer, in light and in dark. */
export const TINT_HOVER_SHARE = [0.2, 0.26] as const;

/** Lines that only help the eye; nothing is lost without them. */
export const QUIET = {
  'chart-grid': ['#e9ecef', '#2b3037'],
} as const satisfies Record<string, Pair>;

/** The CSS colours of a chart's series: their own, or the next in order. */
export function colorsOf(series: readonly { readonly color?: ChartColor }[]): readonly string[] {
  return series.map(({ color }, index) =>
    cssColor(color ?? SERIES_COLORS[index % SERIES_COLORS.length] ?? 'chart-1'),
  );
}

export function cssColor(color: ChartColor | keyof typeof QUIET): string {
  return `var(--${color})`;
}
