import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/** Writes a file that only its owner may read, in one step: a crash leaves the old one or the new one. */
export function writePrivate(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`
  writeFileSync(temporary, text, { mode: 0o600 })
  renameSync(temporary, file)
}

/** What a file of ours holds as JSON; undefined where there is no file, or none that can be read. */
export function readKept<Kept>(file: string | undefined): Kept | undefined {
  try {
    return file === undefined ? undefined : (JSON.parse(readFileSync(file, 'utf8')) as Kept)
  } catch {
    return undefined
  }
}
