import { EnvError } from '../kernel/env.js'

/** A subgraph in a composed schema, as composition writes it: `PAYMENTS @join__graph(name: "payments", url: "http://payments")`. */
const GRAPH = /(@join__graph\(name: "([^"]+)", url: )"[^"]*"/g

/**
 * A composed schema with the addresses of a deployment, which a router of another make reads there.
 * @param urls the subgraphs' addresses by their names
 * @throws EnvError naming every subgraph without an address, and every address of none
 */
export function addressedSupergraph(sdl: string, urls: Readonly<Record<string, string>>): string {
  const names = [...sdl.matchAll(GRAPH)].map(([, , name = '']) => name)
  const missing = names.filter((name) => urls[name] === undefined)
  const unknown = Object.keys(urls).filter((name) => !names.includes(name))
  const problems = [
    ...missing.map((name) => `SUBGRAPH_URLS has to name ${name}`),
    ...unknown.map((name) => `SUBGRAPH_URLS names ${name}, which is no subgraph: they are ${names.join(', ')}`),
  ]
  if (problems.length > 0) throw new EnvError(problems)
  return sdl.replace(GRAPH, (_, before: string, name: string) => `${before}${JSON.stringify(urls[name])}`)
}
