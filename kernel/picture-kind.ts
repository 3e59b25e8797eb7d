/** A picture in a kind of file that is shown: PNG, JPEG or WebP. */
export interface Picture {
  bytes: Buffer
  type: string
}

/** What files of each kind begin with. SVG is none of them: it can run scripts. */
const KINDS: readonly { type: string; isIt: (bytes: Buffer) => boolean }[] = [
  { type: 'image/png', isIt: (bytes) => bytes.subarray(0, 8).toString('hex') === '89504e470d0a1a0a' },
  { type: 'image/jpeg', isIt: (bytes) => bytes.subarray(0, 3).toString('hex') === 'ffd8ff' },
  {
    type: 'image/webp',
    isIt: (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  },
]

/** The media type of a picture by its own bytes, whatever its sender says; undefined where it is none that is shown. */
export function pictureType(bytes: Buffer): string | undefined {
  return KINDS.find(({ isIt }) => isIt(bytes))?.type
}
