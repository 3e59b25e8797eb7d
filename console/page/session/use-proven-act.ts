import type { AnyVariables } from 'urql'
import type { GraphDocument } from '../graph/document.js'
import { useAct, type Acted } from '../graph/use-graph.js'
import { useProof } from './proof.js'

/** An act on the graph that may want a fresh proof that the person is there: then a code is asked for first. */
export function useProvenAct<Result extends object, Variables extends AnyVariables>(
  document: GraphDocument<Result, Variables>,
): (variables: Variables) => Promise<Acted<Result>> {
  const act = useAct(document)
  const withProof = useProof()
  return (variables) => withProof(() => act(variables))
}
