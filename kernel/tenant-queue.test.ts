import { describe, expect, it } from 'vitest'
import { tenantQueue } from './tenant-queue.js'

/** Work that runs until it is told to end. */
function jobs() {
  const running: string[] = []
  const ends = new Map<string, (failure?: Error) => void>()
  const job = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      running.push(name)
      ends.set(name, (failure) => {
        running.splice(running.indexOf(name), 1)
        if (failure) reject(failure)
        else resolve(name)
      })
    })
  const end = async (name: string, failure?: Error): Promise<void> => {
    ends.get(name)?.(failure)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { running, job, end }
}

describe('the queue of a tenant', () => {
  it('runs four at once, the others in their order, and lets nobody else wait for them', async () => {
    const { running, job, end } = jobs()
    const queue = tenantQueue()
    const answers = [1, 2, 3, 4, 5, 6].map((number) => queue.run('worst', job(`worst ${number}`)))
    expect(running).toEqual(['worst 1', 'worst 2', 'worst 3', 'worst 4'])
    const other = queue.run('other', job('other 1'))
    expect(running).toContain('other 1')
    await end('worst 2')
    expect(running).toContain('worst 5')
    expect(running).not.toContain('worst 6')
    for (const name of ['worst 1', 'worst 3', 'worst 4', 'worst 5', 'worst 6', 'other 1']) await end(name)
    expect(await Promise.all(answers)).toHaveLength(6)
    expect(await other).toBe('other 1')
    expect(queue.size).toBe(0)
  })

  it('gives a place on where the work fails', async () => {
    const { running, job, end } = jobs()
    const queue = tenantQueue({ running: 1, waiting: 5 })
    const first = queue.run('t', job('first'))
    const second = queue.run('t', job('second'))
    const failed = expect(first).rejects.toThrow('on fire')
    await end('first', new Error('on fire'))
    await failed
    expect(running).toEqual(['second'])
    await end('second')
    expect(await second).toBe('second')
    expect(queue.size).toBe(0)
  })

  it('refuses what it has no room for, with a code', async () => {
    const { job, end } = jobs()
    const queue = tenantQueue({ running: 1, waiting: 1 })
    const [first, second] = [queue.run('t', job('first')), queue.run('t', job('second'))]
    await expect(queue.run('t', job('third'))).rejects.toMatchObject({ code: 'too_many_operations' })
    await end('first')
    await end('second')
    await Promise.all([first, second])
    const later = queue.run('t', job('later'))
    await end('later')
    expect(await later).toBe('later')
  })
})
