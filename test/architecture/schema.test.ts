import 'reflect-metadata'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { composeServices as composeByGuild } from '@theguild/federation-composition'
import { lexicographicSortSchema, parse, printSchema, type GraphQLSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import federation from '@apollo/federation-internals'
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

/** What clients may query of a composed supergraph, in an order of its own. */
function apiOf(supergraphSdl: string): string {
  const api = federation.Supergraph.build(supergraphSdl).apiSchema().toGraphQLJSSchema()
  return printSchema(lexicographicSortSchema(api as GraphQLSchema))
}

describe('a second composer', () => {
  it('takes the subgraphs, and makes the same API of them', () => {
    const services = Object.keys(SUBGRAPHS).map((name) => ({
      name,
      url: `http://${name}`,
      typeDefs: parse(committed(name)),
    }))
    const composed = composeByGuild(services)
    expect(composed.errors ?? []).toEqual([])
    const { supergraphSdl = '' } = composed as { supergraphSdl?: string }
    expect(apiOf(supergraphSdl)).toBe(apiOf(readFileSync(join(projectRoot, 'schema', 'supergraph.graphql'), 'utf8')))
  })
})
