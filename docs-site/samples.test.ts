import { execFileSync, spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findLastingPort } from '../sandbox/processes/free-port.js'
import { atEnd, ownFolder } from '../test/harness/at-end.js'
import { machineEnv } from '../test/harness/env.js'
import { sampleOf } from '../test/harness/guide-samples.js'
import { ifInstalled, isInstalled } from '../test/harness/program.js'
import { until } from '../test/harness/until.js'

/** A language: the program that has to be there, what it is asked by, and how its files are made and run. */
interface Language {
  language: string
  program: string
  version?: string
  /** What calls a function of the sample with the arguments that are given as JSON. */
  call: (name: string) => string
  /** Writes the sample and its call into the folder. @returns the command that takes the arguments */
  prepare: (folder: string, sample: string, call: string) => readonly string[]
}

/** One file, which is given to the program. */
const inOneFile =
  (program: string, file: string) =>
  (folder: string, sample: string, call: string): readonly string[] => {
    writeFileSync(join(folder, file), `${sample}\n${call}\n`)
    return [program, join(folder, file)]
  }

const LANGUAGES: readonly Language[] = [
  {
    language: 'js',
    program: process.execPath,
    call: (name) => `console.log(${name}(...JSON.parse(process.argv[2])) ? 'good' : 'bad')`,
    prepare: inOneFile(process.execPath, 'sample.mjs'),
  },
  {
    language: 'python',
    program: 'python3',
    call: (name) => `import json, sys\nprint("good" if ${name}(*json.loads(sys.argv[1])) else "bad")`,
    prepare: inOneFile('python3', 'sample.py'),
  },
  {
    language: 'php',
    program: 'php',
    call: (name) => `echo ${name}(...json_decode($argv[1], true)) ? 'good' : 'bad';`,
    prepare: inOneFile('php', 'sample.php'),
  },
  {
    language: 'go',
    program: 'go',
    version: 'version',
    call: (name) => `package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	var given []json.RawMessage
	var secret, body string
	var headers map[string]string
	var now int64
	json.Unmarshal([]byte(os.Args[1]), &given)
	json.Unmarshal(given[0], &secret)
	json.Unmarshal(given[1], &headers)
	json.Unmarshal(given[2], &body)
	json.Unmarshal(given[3], &now)
	fmt.Println(map[bool]string{true: "good", false: "bad"}[${name}(secret, headers, body, now)])
}`,
    prepare: (folder, sample, call) => {
      writeFileSync(join(folder, 'sample.go'), sample)
      writeFileSync(join(folder, 'main.go'), call)
      const env = { ...machineEnv, GOCACHE: join(folder, 'cache'), GOTOOLCHAIN: 'local' }
      execFileSync('go', ['build', '-o', join(folder, 'sample'), 'sample.go', 'main.go'], { cwd: folder, env })
      return [join(folder, 'sample')]
    },
  },
]

const key = randomBytes(24)
const secret = `whsec_${key.toString('base64')}`
const otherSecret = `whsec_${randomBytes(24).toString('base64')}`
const signatureOf = (text: string): string => `v1,${createHmac('sha256', key).update(text).digest('base64')}`

/** A function of a sample, ready to be asked for its verdict. */
async function verdictOf({ call, prepare }: Language, sample: string, name: string) {
  const [program = '', ...args] = prepare(await ownFolder(), sample, call(name))
  return (...given: unknown[]) =>
    execFileSync(program, [...args, JSON.stringify(given)])
      .toString()
      .trim()
}

describe('the samples that verify a webhook', () => {
  const now = 1_800_000_000
  const body = '{"type":"payment.success","data":{"id":"c1","name":"São"}}'
  const headersAt = (at: number) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at),
    'webhook-signature': signatureOf(`msg_1.${at}.${body}`),
  })

  for (const one of LANGUAGES) {
    const { language, program, version } = one
    const title = `in ${language} takes ours, and no other body, key or time${ifInstalled(program, version)}`
    it.skipIf(!isInstalled(program, version))(title, async () => {
      const verdict = await verdictOf(one, sampleOf('webhooks', language), 'verify')
      expect(verdict(secret, headersAt(now), body, now)).toBe('good')
      expect(verdict(secret, headersAt(now), body.replace('c1', 'c2'), now)).toBe('bad')
      expect(verdict(otherSecret, headersAt(now), body, now)).toBe('bad')
      expect(verdict(secret, headersAt(now - 301), body, now)).toBe('bad')
    })
  }
})

describe('the samples that check the way back to the shop', () => {
  const address = (status: string) =>
    `https://shop.example/thanks?${new URLSearchParams({
      basket: '7',
      payment_id: 'c1',
      payment_status: status,
      payment_timestamp: '1800000000',
      payment_signature: `v1,bm8= ${signatureOf('c1.1800000000.paid')}`,
    }).toString()}`
  const NAMES = { js: 'cameBackPaid', python: 'came_back_paid', php: 'came_back_paid' }

  for (const [language, name] of Object.entries(NAMES)) {
    const one = LANGUAGES.find((each) => each.language === language)
    if (!one) throw new Error(`nothing runs ${language}`)
    const title = `in ${language} take ours, and no other status or key${ifInstalled(one.program)}`
    it.skipIf(!isInstalled(one.program))(title, async () => {
      const verdict = await verdictOf(one, sampleOf('payment-page', language), name)
      expect(verdict(secret, address('paid'))).toBe('good')
      expect(verdict(secret, address('received'))).toBe('bad')
      expect(verdict(otherSecret, address('paid'))).toBe('bad')
      expect(verdict(secret, 'https://shop.example/thanks')).toBe('bad')
    })
  }
})

describe('the sample of a receiver', () => {
  it('names what is ours, and refuses the rest', async () => {
    const folder = await ownFolder()
    const port = await findLastingPort()
    mkdirSync(join(folder, '.data'))
    writeFileSync(join(folder, '.data', 'sandbox.json'), JSON.stringify({ webhook_secret: secret }))
    writeFileSync(join(folder, 'verify.mjs'), sampleOf('webhooks', 'js'))
    writeFileSync(join(folder, 'receiver.mjs'), sampleOf('webhooks', 'js', 1).replace('4001', String(port)))
    const PATH = dirname(process.execPath)
    const receiver = spawn(process.execPath, ['receiver.mjs'], { cwd: folder, env: { PATH } })
    atEnd(() => receiver.kill())
    let printed = ''
    receiver.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    const body = '{"type":"payment.success"}'
    const at = Math.floor(Date.now() / 1000)
    const post = async (sent: string): Promise<number | undefined> => {
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(at),
        'webhook-signature': signatureOf(`msg_1.${at}.${body}`),
      }
      const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: sent, headers }).catch(
        () => undefined,
      )
      return answer?.status
    }
    await until('the receiver answers', async () => (await post(body)) === 204)
    expect(await post(body.replace('success', 'error'))).toBe(400)
    await until('both are printed', () => printed.includes('payment.success\n') && printed.includes('not ours\n'))
  })
})
