/** Browsers have passkeys for names alone: never at an IP address, and never over plain http but at `localhost`. */
export function hasPasskeySupport(): boolean {
  const isAddress = /^[\d.]+$|^\[/.test(location.hostname)
  return !isAddress && typeof window.PublicKeyCredential === 'function'
}
