import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { atEnd, ownFolder } from '../test/harness/at-end.js'
import { machineEnv } from '../test/harness/env.js'
import { until } from '../test/harness/until.js'
import { openLogLines } from './log-lines.js'
import { projectRoot } from './root.js'

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

/** A pipe whose reader comes and goes, and reads when it is told to. */
async function openPipe() {
  const path = join(await ownFolder(), 'pipe')
  await promisify(execFile)('mkfifo', [path])
  const openReader = () => openSync(path, O_RDONLY | O_NONBLOCK)
  let reader = openReader()
  const writer = openSync(path, O_WRONLY)
  const chunk = Buffer.alloc(1024 * 1024)
  let text = ''
  atEnd(() => {
    closeSync(reader)
    closeSync(writer)
  })
  return {
    writer,
    leave: () => {
      closeSync(reader)
    },
    comeBack: () => {
      reader = openReader()
    },
    /** All that it has read until now. */
    read: (): string => {
      try {
        text += chunk.toString('utf8', 0, readSync(reader, chunk))
      } catch (error) {
        // Nothing is there yet.
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      }
      return text
    },
  }
}

describe('lines of a log', () => {
  it('are lost and counted on a full disk, and hold up neither the process nor its end', async () => {
    const full = openSync('/dev/full', O_WRONLY)
    const lines = openLogLines(full)
    for (let number = 1; number <= 3; number += 1) {
      lines.write(`${number}\n`)
      await until('it is counted', () => lines.lost() === number)
    }
    lines.write('4\n')
    lines.end()
    closeSync(full)
  })

  it('come again once somebody reads, and say how many are missing', async () => {
    const pipe = await openPipe()
    const lines = openLogLines(pipe.writer)
    pipe.leave()
    lines.write('1\n')
    await until('it is lost', () => lines.lost() === 1)
    pipe.comeBack()
    lines.write('2\n')
    await until('both have come', () => pipe.read().includes('were lost'))
    const [second = '', gap = ''] = pipe.read().split('\n')
    expect(second).toBe('2')
    expect(JSON.parse(gap)).toMatchObject({ level: 40, lines: 1, msg: 'lines of the log were lost' })
  })

  it('wait for a reader that stalls, up to a bound, and keep their order', async () => {
    const pipe = await openPipe()
    const lines = openLogLines(pipe.writer, 100_000)
    const line = (number: number) => `${number} ${'x'.repeat(990)}\n`
    // The pipe takes 64 KiB: the first batch fills it.
    lines.write('y'.repeat(90_000) + '\n')
    for (let number = 0; number < 200; number += 1) lines.write(line(number))
    expect(lines.lost()).toBeGreaterThan(90)
    const lost = lines.lost()
    await until('all have come', () => pipe.read().includes('were lost'))
    const [, ...read] = pipe.read().trimEnd().split('\n')
    expect(JSON.parse(read.pop() ?? '')).toMatchObject({ lines: lost })
    expect(read.map((text) => Number(text.split(' ')[0]))).toEqual(Array.from({ length: 200 - lost }, (_, at) => at))
  })

  it('hold up no process that ends while its reader stalls', async () => {
    const log = JSON.stringify(join(projectRoot, 'dist', 'kernel', 'log.js'))
    const program = `const { createLog } = await import(${log})
      const log = createLog('info')
      for (let number = 0; number < 20; number += 1) log.info('x'.repeat(100_000))
      setTimeout(() => process.exit(3), 100)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      env: machineEnv,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child.stderr.pause()
    atEnd(() => child.kill('SIGKILL'))
    await once(child, 'exit')
    expect(child.exitCode).toBe(3)
  })
})
