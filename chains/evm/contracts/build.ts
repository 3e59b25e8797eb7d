import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { artifactPath, compileContract, printArtifact } from './compile.js'
import { CONTRACT_SOURCES } from './sources.js'

// A script, run from the project's folder: rewrites the artifacts of every contract after a change of its source.
for (const path of CONTRACT_SOURCES) {
  writeFileSync(join(process.cwd(), artifactPath(path)), printArtifact(compileContract(process.cwd(), path)))
  process.stdout.write(`${artifactPath(path)}\n`)
}
