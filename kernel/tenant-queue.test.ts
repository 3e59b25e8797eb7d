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
    expect(await Promise.all(answers.map(async (answer) => answer))).toHaveLength(6)
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

  it('answers work that is done at once at once, and gives its place on whether it failed or not', () => {
    const queue = tenantQueue({ running: 1, waiting: 0 })
    expect(queue.run('t', () => 'first')).toBe('first')
    expect(() =>
      queue.run('t', () => {
        throw new Error('on fire')
      }),
    ).toThrow('on fire')
    expect(queue.run('t', () => 'third')).toBe('third')
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

  it('refuses what has waited for as long as it may, without having begun it', async () => {
    const { running, job, end } = jobs()
    const queue = tenantQueue({ running: 1, waiting: 5 })
    const first = queue.run('t', job('first'))
    const impatient = queue.run('t', job('impatient'), 5)
    const patient = queue.run('t', job('patient'), 60_000)
    await expect(impatient).rejects.toMatchObject({ code: 'too_many_operations' })
    expect(running).toEqual(['first'])
    await end('first')
    expect(running).toEqual(['patient'])
    await end('patient')
    expect(await Promise.all([first, patient])).toEqual(['first', 'patient'])
    expect(queue.size).toBe(0)
  })
})

describe('a queue with bounds for all tenants', () => {
  const limits = { running: 3, waiting: 3, ofAll: { running: 4, waiting: 2 } }

  it('hands what is free to the tenants in turn, and never keeps one from running one', async () => {
    const { running, job, end } = jobs()
    const queue = tenantQueue(limits)
    const started = [1, 2, 3].map((number) => queue.run('a', job(`a${number}`)))
    started.push(queue.run('b', job('b1')), queue.run('b', job('b2')), queue.run('a', job('a4')))
    expect(running).toEqual(['a1', 'a2', 'a3', 'b1'])
    started.push(queue.run('c', job('c1')), queue.run('c', job('c2')))
    expect(running).toEqual(['a1', 'a2', 'a3', 'b1', 'c1'])
    await end('a1')
    expect(running).toEqual(['a2', 'a3', 'b1', 'c1'])
    await end('a2')
    // The first that may: a has two of three left.
    expect(running).toEqual(['a3', 'b1', 'c1', 'a4'])
    await end('a3')
    expect(running).toEqual(['b1', 'c1', 'a4', 'b2'])
    await end('c1')
    expect(running).toEqual(['b1', 'a4', 'b2', 'c2'])
    for (const name of ['b1', 'a4', 'b2', 'c2']) await end(name)
    expect(await Promise.all(started.map(async (answer) => answer))).toHaveLength(8)
    expect(queue.size).toBe(0)
  })

  it('refuses more than may wait, and never keeps a tenant from having one wait', async () => {
    const { running, job, end } = jobs()
    const queue = tenantQueue({ ...limits, running: 1 })
    const started = [1, 2, 3].map((number) => queue.run('a', job(`a${number}`)))
    await expect(queue.run('a', job('a4'))).rejects.toMatchObject({ code: 'too_many_operations' })
    started.push(queue.run('b', job('b1')), queue.run('b', job('b2')))
    await expect(queue.run('b', job('b3'))).rejects.toMatchObject({ code: 'too_many_operations' })
    expect(running).toEqual(['a1', 'b1'])
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) await end(name)
    expect(await Promise.all(started.map(async (answer) => answer))).toEqual(['a1', 'a2', 'a3', 'b1', 'b2'])
    expect(queue.size).toBe(0)
  })
})
