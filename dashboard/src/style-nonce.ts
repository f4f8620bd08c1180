/** The nonce that lets Mantine's own <style> elements pass the page's policy. The service sends a new one with each page. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.nonce ?? '';

// react-remove-scroll, under Mantine's dialogs, looks for it here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
