import { mkdir, readlink, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { linkSharedLibraries } from './postgres-binaries.js'
import { ownFolder } from '../../test/harness/at-end.js'

let packageDir: string
const lib = (name: string) => join(packageDir, 'native', 'lib', name)

beforeEach(async () => {
  packageDir = await ownFolder()
  await mkdir(lib('.'), { recursive: true })
  await writeFile(lib('libpq.so.5.18'), '')
  const links = ['native/lib/libpq.so', 'native/lib/libpq.so.5'].map((target) => ({
    source: 'native/lib/libpq.so.5.18',
    target,
  }))
  await writeFile(join(packageDir, 'native', 'pg-symlinks.json'), JSON.stringify(links))
})

describe('the links of the shared libraries', () => {
  it('are made where they are missing, also by several at once, and left alone where they exist', async () => {
    await Promise.all(Array.from({ length: 5 }, () => linkSharedLibraries(packageDir)))
    expect(await readlink(lib('libpq.so'))).toBe('libpq.so.5.18')
    expect(await readlink(lib('libpq.so.5'))).toBe('libpq.so.5.18')
    await linkSharedLibraries(packageDir)
  })

  it('are reported by name when they cannot be made', async () => {
    await rm(lib('.'), { recursive: true })
    await expect(linkSharedLibraries(packageDir)).rejects.toThrow(/cannot be linked: .*libpq\.so/)
  })
})
