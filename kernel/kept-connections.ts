import http from 'node:http'
import https from 'node:https'
import type { Duplex } from 'node:stream'

/**
 * An agent that keeps connections alive, and has no request wait for one. A limit of connections per host would let the hanging receivers
 * of some tenants keep those of others waiting that are at the same host; how many requests are under way is bounded by who makes them.
 * Node counts connections that nobody uses in a limit of all, so these have a limit of their own.
 */
const OPTIONS = { keepAlive: true, maxSockets: Infinity, maxFreeSockets: 32, timeout: 30_000 }
const IDLE_MAX = 256

/** Agents for both protocols. @param idleMax how many connections each keeps that nobody uses; of one host 32 at most */
export function keptConnections(idleMax = IDLE_MAX): { 'http:': http.Agent; 'https:': https.Agent } {
  return { 'http:': bounded(new http.Agent(OPTIONS), idleMax), 'https:': bounded(new https.Agent(OPTIONS), idleMax) }
}

function bounded<Agent extends http.Agent>(agent: Agent, idleMax: number): Agent {
  // Its type says nothing of the answer, by which Node keeps the connection or ends it.
  const keeps = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => boolean
  agent.keepSocketAlive = (socket: Duplex) => idleOf(agent) < idleMax && keeps(socket)
  return agent
}

function idleOf({ freeSockets }: http.Agent): number {
  return Object.values(freeSockets).reduce((count, sockets = []) => count + sockets.length, 0)
}
