/** A picture of a code, to be scanned. */
export function QrCode({ name, src, alt }: { name: string; src: string; alt: string }) {
  return <img class="qr" data-test={name} src={src} alt={alt} width="264" height="264" />
}
