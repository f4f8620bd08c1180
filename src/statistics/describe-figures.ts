/** `12,345` */
export function whole(count: number): string {
  return count.toLocaleString('en');
}

/** `+12`, `−3`, `0` */
export function signed(value: number): string {
  if (value === 0) return '0';
  return value > 0 ? `+${whole(value)}` : `−${whole(-value)}`;
}

/** Three places; a dash for null. */
export function figure(value: number | null): string {
  return value === null ? '–' : value.toFixed(3);
}
