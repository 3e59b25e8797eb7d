import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../kernel/root.js'

/** A program as it is committed: the ELF file in base64 and its SHA-256 in hex. */
export interface ProgramFile {
  sha256: string
  elf: string
}

/** The folder of the programs' sources and committed bytes, relative to the project's. */
export const PROGRAMS_FOLDER = join('sandbox', 'solana-programs')

/** Our programs: the source's name, and the real ids that it is loaded at. */
export const PROGRAMS = [
  { name: 'kamino-lend', ids: ['KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD'] },
  {
    name: 'jupiter-lend-earn',
    ids: ['jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9', 'jupeiUmn818Jg1ekPURTpr4mFo29p46vygyykFJ3wZC'],
  },
] as const

/** Where the committed bytes of a program are. */
export function programPath(name: string): string {
  return join(projectRoot, PROGRAMS_FOLDER, `${name}.json`)
}

/**
 * The programs ready to be loaded: bytes by program id.
 * @throws Error where the committed bytes do not have the committed hash
 */
export function loadPrograms(): { id: string; bytes: Buffer }[] {
  return PROGRAMS.flatMap(({ name, ids }) => {
    const { sha256, elf } = JSON.parse(readFileSync(programPath(name), 'utf8')) as ProgramFile
    const bytes = Buffer.from(elf, 'base64')
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new Error(`${name}.json is damaged`)
    return ids.map((id) => ({ id, bytes }))
  })
}
