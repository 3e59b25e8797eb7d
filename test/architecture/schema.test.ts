import 'reflect-metadata'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../kernel/root.js'
import { SUBGRAPHS } from '../../subgraphs/registry.js'

const folder = join(projectRoot, 'schema', 'subgraphs')
const committed = (name: string) => readFileSync(join(folder, `${name}.graphql`), 'utf8')

describe('the committed schema', () => {
  it('is of every subgraph, and of no other', () => {
    const names = readdirSync(folder).map((file) => file.replace('.graphql', ''))
    expect(names.toSorted()).toEqual(Object.keys(SUBGRAPHS).toSorted())
    const supergraph = readFileSync(join(projectRoot, 'schema', 'supergraph.graphql'), 'utf8')
    for (const name of names) expect(supergraph).toContain(`@join__graph(name: "${name}"`)
  })

  it.each(Object.keys(SUBGRAPHS))('of %s is the one that its code makes now', (name) => {
    const build = Object.entries(SUBGRAPHS).find(([candidate]) => candidate === name)?.[1]
    expect(build?.().sdl).toBe(committed(name))
  })
})
