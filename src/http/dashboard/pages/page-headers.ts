/** What every answer of the dashboard's pages says, assets too. */
export const SHARED_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** Nothing that a page could ask a person for is used. */
const PERMISSIONS = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']
  .map((feature) => `${feature}=()`)
  .join(', ');

/**
 * What the page says besides. The nonce is for the <style> elements that Mantine writes for its theme and for widths that
 * change with the screen; scripts come from files alone, and nothing from elsewhere.
 */
export function pageHeaders(styleNonce: string): Readonly<Record<string, string>> {
  const policy = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': `'self' 'nonce-${styleNonce}'`,
    'img-src': "'self'",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  };
  return {
    ...SHARED_HEADERS,
    'Content-Security-Policy': Object.entries(policy)
      .map(([directive, sources]) => `${directive} ${sources}`)
      .join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': PERMISSIONS,
    'X-Frame-Options': 'DENY',
    // A page out of a cache would come with the nonce of another answer.
    'Cache-Control': 'no-store',
  };
}
