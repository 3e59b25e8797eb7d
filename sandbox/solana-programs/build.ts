import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../kernel/root.js'
import { compileProgram, printProgram } from './compile-program.js'
import { programHeader } from './program-header.js'
import { programPath, PROGRAMS, PROGRAMS_FOLDER } from './programs.js'

// A script: rewrites the header and the bytes of every program after a change of its source. Needs clang-14.
const sources = join(projectRoot, PROGRAMS_FOLDER, 'src')
writeFileSync(join(sources, 'ids.generated.h'), programHeader())
for (const { name } of PROGRAMS) {
  const program = compileProgram(sources, name)
  writeFileSync(programPath(name), printProgram(program))
  process.stdout.write(`${name} ${program.sha256}\n`)
}
