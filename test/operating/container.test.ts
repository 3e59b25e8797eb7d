import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { projectRoot } from '../../kernel/root.js'
import { ownFolder } from '../harness/at-end.js'
import { machineEnv } from '../harness/env.js'
import { startProductProcess } from '../harness/product-process.js'
import { serve } from '../harness/serve.js'

const run = promisify(execFile)
const read = (file: string): string => readFileSync(join(projectRoot, file), 'utf8')
const IMAGE = read('deploy/Containerfile').replaceAll('\\\n', ' ')

/** The instructions of a stage with those of the stages that it is built on, the oldest first. */
function stageOf(name: string): string[] {
  const [head = '', ...lines] =
    IMAGE.split(/^(?=FROM )/m)
      .find((stage) => stage.split('\n')[0]?.endsWith(` AS ${name}`))
      ?.split('\n') ?? []
  const base = head.split(' ')[1] ?? ''
  return [...(IMAGE.includes(` AS ${base}\n`) ? stageOf(base) : []), ...lines.filter((line) => /^[A-Z]/.test(line))]
}

/** What a stage takes from the build, by where it puts it; all of it is below `/app/`. */
function copiesOf(stage: string): { source: string; target: string }[] {
  return stageOf(stage).flatMap((line) => {
    const [, rest = ''] = /^COPY --from=\S+ (.*)$/.exec(line) ?? []
    const parts = rest.split(' ').filter(Boolean)
    const target = parts.pop() ?? ''
    return parts.map((source) => ({
      source: source.replace('/app/', ''),
      target: target.endsWith('/') ? join(target, basename(source)) : target,
    }))
  })
}

const jsonOf = (stage: string, instruction: RegExp): string[] =>
  JSON.parse(/\[.*\]$/.exec(stageOf(stage).find((line) => instruction.test(line)) ?? '')?.[0] ?? '[]') as string[]

describe('the container image', () => {
  it.each(['sandbox', 'live'])('has a stage %s that copies what there is', (stage) => {
    const copies = copiesOf(stage)
    expect(copies.map(({ target }) => target)).toEqual(expect.arrayContaining(['dist', 'node_modules', 'package.json']))
    for (const { source } of copies) expect([source, existsSync(join(projectRoot, source))]).toEqual([source, true])
    expect(stageOf(stage).at(-1)).toBe('USER node')
  })

  it('starts the sandbox from what it copies and nothing else, with the options of `npm start`, and knows its health', async () => {
    const root = await ownFolder()
    for (const { source, target } of copiesOf('sandbox')) {
      await mkdir(dirname(join(root, target)), { recursive: true })
      // The packages are many, and the same: they are where the image has them, without those for development.
      if (source === 'node_modules') await symlink(join(projectRoot, source), join(root, target))
      else await cp(join(projectRoot, source), join(root, target), { recursive: true })
    }
    const [program, ...options] = jsonOf('sandbox', /^CMD/)
    expect([program, options.pop()]).toEqual(['node', 'dist/main.js'])
    const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } }
    expect(scripts.start).toContain(`node ${options.join(' ')} dist/main.js`)
    const PORT = String(await findLastingPort())
    const environment = { MODE: 'sandbox', NODE_ENV: 'production', DATA_DIR: join(await ownFolder(), 'data'), PORT }
    const product = await startProductProcess(environment, { root, nodeOptions: options })
    for (const path of ['/readyz', '/docs/first-payment', '/docs/reference', '/console', '/sandbox', '/graphql']) {
      const answer = await fetch(`${product.url}${path}`, { headers: { accept: 'text/html' } })
      expect([path, answer.status]).toEqual([path, 200])
    }
    const [, ...probe] = jsonOf('sandbox', /^HEALTHCHECK/)
    const health = () => run(process.execPath, probe, { env: { ...machineEnv, PORT } })
    await health()
    await product.stop()
    await expect(health()).rejects.toMatchObject({ code: 1 })
  })

  it('is no less healthy where only something behind the process is away: whoever restarts it would make that worse', async () => {
    const { url } = await serve(({ url: path }, response) => response.writeHead(path === '/healthz' ? 200 : 503).end())
    const [, ...probe] = jsonOf('live', /^HEALTHCHECK/)
    await run(process.execPath, probe, { env: { ...machineEnv, PORT: new URL(url).port } })
  })
})

interface Compose {
  services: Record<
    string,
    {
      build?: { context: string; dockerfile: string; target: string }
      volumes?: string[]
      depends_on?: Record<string, unknown>
    }
  >
  volumes: Record<string, unknown>
}

describe.each(['compose.yml', 'compose.live.yml'])('%s', (file) => {
  it('builds a stage that there is, and keeps data in volumes that it names', () => {
    const { services, volumes } = parse(read(`deploy/${file}`)) as Compose
    for (const { build, volumes: mounts = [], depends_on: needed = {} } of Object.values(services)) {
      if (build) {
        expect(existsSync(join(projectRoot, 'deploy', build.context, build.dockerfile))).toBe(true)
        expect(stageOf(build.target)).not.toEqual([])
      }
      for (const mount of mounts) expect(Object.keys(volumes)).toContain(mount.split(':')[0])
      for (const service of Object.keys(needed)) expect(Object.keys(services)).toContain(service)
    }
    const kept = services['payments']?.volumes?.map((mount) => mount.split(':')[1]) ?? []
    for (const folder of kept) expect(stageOf('sandbox')).toContain(`VOLUME ${folder ?? ''}`)
  })
})
