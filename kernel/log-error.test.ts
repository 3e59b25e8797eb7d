import { Pool } from 'pg'
import { describe, expect, it } from 'vitest'
import { ownDatabase, query } from '../test/harness/database.js'
import { createLog } from './log.js'
import { withoutSecrets } from './log-error.js'

const database = await ownDatabase()

/** What a line of the log holds, with an error on it. */
function logged(error: unknown): { line: string; err: Record<string, unknown> } {
  let line = ''
  const into = { write: (written: string) => void (line += written) }
  createLog('info', into).warn({ err: error }, 'something failed')
  return { line, err: (JSON.parse(line) as { err: Record<string, unknown> }).err }
}

describe('an error in the log', () => {
  it('of a lost connection shows no client, nor what the client holds', async () => {
    // eslint-disable-next-line no-restricted-syntax -- its own error is what the test is about
    const pool = new Pool({ connectionString: database.url, application_name: 'canary-of-the-client' })
    const lost = new Promise<Error>((resolve) => pool.once('error', resolve))
    await pool.query('select 1')
    await query(
      database.url,
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'canary-of-the-client'`,
    )
    const { line, err } = logged(await lost)
    await pool.end()
    expect(Object.keys(err).filter((key) => !['type', 'message', 'stack', 'code', 'cause'].includes(key))).toEqual([])
    expect(line).not.toContain('canary-of-the-client')
    expect(err).toMatchObject({ code: '57P01', message: expect.stringContaining('terminating connection') })
  })

  it('shows nothing else that hangs on it or on its cause', () => {
    const cause = Object.assign(new Error('refused'), {
      code: 'ECONNREFUSED',
      config: { headers: { token: 'canary' } },
    })
    const { line, err } = logged(Object.assign(new Error('failed', { cause }), { body: { cpf: 'canary' } }))
    expect(line).not.toContain('canary')
    expect(err).toMatchObject({ message: 'failed', cause: { message: 'refused', code: 'ECONNREFUSED' } })
  })

  it('shows where an address leads, without password, path or query', () => {
    const rpc = logged(new Error('HTTP request failed. URL: https://user:canary@node.example/v2/canary?key=canary'))
    expect(rpc.line).not.toContain('canary')
    expect(rpc.err['message']).toBe('HTTP request failed. URL: https://node.example/…')
    expect(withoutSecrets('postgres://u:canary@db:5432/payments is away')).toBe('postgres://db:5432/… is away')
    expect(withoutSecrets('at run (file:///srv/kernel/log.js:1:1)')).toBe('at run (file:///srv/kernel/log.js:1:1)')
  })
})
