import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { lockDataDir } from './data-dir-lock.js'
import { startOwner } from './fixtures/owner.js'
import { ownFolder } from '../../test/harness/at-end.js'

let folder: string

beforeEach(async () => {
  folder = await ownFolder()
})

describe('the lock of a data folder', { timeout: 30_000 }, () => {
  it('names the process that already uses the folder, by whatever path the folder is reached', async () => {
    const dataDir = join(folder, 'data')
    const owner = startOwner('lock-owner', dataDir)
    try {
      await owner.firstLine
      const message = `another process (pid ${owner.pid}) already uses the data folder ${dataDir}`
      await expect(lockDataDir(dataDir)).rejects.toThrow(message)
      await symlink(dataDir, join(folder, 'link'))
      await expect(lockDataDir(join(folder, 'link'))).rejects.toThrow(message)
    } finally {
      await owner.end('SIGKILL')
    }
  })

  it('is free as soon as its owner was killed with -9', async () => {
    const owner = startOwner('lock-owner', folder)
    await owner.firstLine
    await owner.end('SIGKILL')
    const lock = await lockDataDir(folder)
    expect(lock.dataDir).toBe(folder)
    await lock.release()
  })

  it('is given to exactly one of many that ask at once', async () => {
    const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataDir(folder)))
    const locks = attempts.filter((attempt) => attempt.status === 'fulfilled').map((attempt) => attempt.value)
    expect(locks).toHaveLength(1)
    await Promise.all(locks.map((lock) => lock.release()))
    await (await lockDataDir(folder)).release()
  })

  it('names the setting and ends where the folder cannot be made', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    for (const [dataDir, code] of [
      ['/proc/nothing/of/it', 'ENOENT'],
      [file, 'EEXIST'],
      [join(file, 'below'), 'ENOTDIR'],
    ] as const) {
      const message = `DATA_DIR: ${dataDir} is no folder and cannot be made one (${code})`
      await expect(lockDataDir(dataDir)).rejects.toThrow(message)
    }
  })

  it('makes a folder below others that are missing', async () => {
    const dataDir = join(folder, 'a', 'b', 'c')
    const lock = await lockDataDir(dataDir)
    expect(lock.dataDir).toBe(dataDir)
    await lock.release()
  })

  it('tells folders apart', async () => {
    const locks = await Promise.all(['a', 'b'].map((name) => lockDataDir(join(folder, name))))
    expect(locks.map((lock) => lock.dataDir)).toEqual([join(folder, 'a'), join(folder, 'b')])
    await Promise.all(locks.map((lock) => lock.release()))
  })
})
