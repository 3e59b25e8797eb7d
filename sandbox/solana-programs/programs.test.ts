import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../kernel/root.js'
import { compileProgram, hasCompiler, printProgram } from './compile-program.js'
import { programHeader } from './program-header.js'
import { loadPrograms, programPath, PROGRAMS, PROGRAMS_FOLDER } from './programs.js'

const sources = join(projectRoot, PROGRAMS_FOLDER, 'src')

describe('the committed programs', () => {
  it.skipIf(!hasCompiler()).each(PROGRAMS)(
    '$name: the source compiles to exactly the committed bytes (skipped where clang-14 is missing)',
    ({ name }) => {
      expect(printProgram(compileProgram(sources, name))).toBe(readFileSync(programPath(name), 'utf8'))
    },
  )

  it('have the committed hashes, and each is loaded at every id of its protocol', () => {
    expect(loadPrograms().map(({ id, bytes }) => [id, bytes.subarray(0, 4).toString('latin1')])).toEqual([
      ['KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD', '\x7fELF'],
      ['jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9', '\x7fELF'],
      ['jupeiUmn818Jg1ekPURTpr4mFo29p46vygyykFJ3wZC', '\x7fELF'],
    ])
  })

  it('are built with a header that follows from the names of the protocols', () => {
    expect(readFileSync(join(sources, 'ids.generated.h'), 'utf8')).toBe(programHeader())
  })
})
