import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { artifactPath, compileContract, printArtifact } from './compile.js'
import { CONTRACT_SOURCES } from './sources.js'

describe('committed contract artifacts', () => {
  it.each(CONTRACT_SOURCES)(
    '%s compiles to exactly the bytes and the source hash that are committed',
    { timeout: 60_000 },
    (path) => {
      expect(printArtifact(compileContract(process.cwd(), path))).toBe(readFileSync(artifactPath(path), 'utf8'))
    },
  )
})
