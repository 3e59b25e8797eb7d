import type { CombinedError } from '@urql/core'
import { useMutation, useQuery, type AnyVariables } from 'urql'
import { useEffect, useState } from 'react'
import type { MutationError } from '../generated/operations.js'
import { useSession } from '../session/use-session.js'
import { forgetAct, keyOf } from './act-keys.js'
import { useTellAsking } from './asking.js'
import { actFetch, LIVE_FETCH } from './client.js'
import { byId, type GraphDocument } from './document.js'

/** What a query has answered so far. */
export interface Answered<Result> {
  data: Result | undefined
  /** Nothing is known yet. */
  isLoading: boolean
  error: CombinedError | undefined
  /** Asks again, past what is remembered. */
  again: () => void
  /** The same, of what nobody has asked for: nothing on the page shows that it is asked. */
  quietly: () => void
}

/** Asks the graph for what a page shows. */
export function useGraph<Result, Variables extends AnyVariables>(
  document: GraphDocument<Result, Variables>,
  variables: Variables,
): Answered<Result> {
  const [{ data, fetching, stale, error }, execute] = useQuery<Result>({
    query: byId(document),
    variables: variables as AnyVariables,
  })
  const asked = JSON.stringify(variables)
  const [quietFor, setQuietFor] = useState<string>()
  const isUnderWay = fetching || stale
  useEffect(() => {
    if (!isUnderWay) setQuietFor(undefined)
  }, [isUnderWay])
  useTellAsking(isUnderWay && data !== undefined && quietFor !== asked)
  const again = (): void => {
    setQuietFor(undefined)
    execute({ requestPolicy: 'network-only', fetchOptions: LIVE_FETCH })
  }
  const quietly = (): void => {
    // What the person waits for goes on to be waited for.
    if (!isUnderWay) setQuietFor(asked)
    execute({ requestPolicy: 'network-only', fetchOptions: LIVE_FETCH })
  }
  return { data, isLoading: fetching && data === undefined, error, again, quietly }
}

/** A refusal as the console shows it: the code has a text in both languages, the message is the server's. */
export interface Refused {
  code: string
  message: string
  /** The name of the field that is wrong, as the graph has it; undefined where it is none. */
  field?: string | undefined
  /** The facts behind it, in the server's words; undefined where it tells none. */
  details?: string | undefined
}

/** The payload of a mutation, and why it was refused. */
export type Acted<Result> = { data: Result; refused?: undefined } | { data?: undefined; refused: Refused }

/** Why nothing could be had of the graph. What GraphQL itself refuses names the first field that is wrong beside its sentence, which is for programmers. */
export function refusedBy(error: CombinedError | undefined): Refused {
  const [graphError] = error?.graphQLErrors ?? []
  if (!graphError) return { code: 'UNREACHABLE', message: error?.message ?? '' }
  const { message, extensions } = graphError
  const { code, errors } = extensions as { code?: unknown; errors?: readonly { field: string }[] }
  const field = errors?.[0]?.field.split('.').findLast((name) => !/^\d+$/.test(name))
  return { code: typeof code === 'string' ? code : 'SERVER_ERROR', message, field }
}

/** Why an act was refused. @param then what is called with its answer where it was not */
export async function refusalOf<Answer extends { refused?: Refused | undefined }>(
  act: Promise<Answer>,
  ...then: readonly ((answer: Answer) => void)[]
): Promise<Refused | undefined> {
  const answer = await act
  if (!answer.refused) for (const call of then) call(answer)
  return answer.refused
}

/** An act on the graph; it answers once the server has, and never throws. Asked for again where it was not done, it is done once. */
export function useAct<Result extends object, Variables extends AnyVariables>(
  document: GraphDocument<Result, Variables>,
): (variables: Variables) => Promise<Acted<Result>> {
  const [, execute] = useMutation<Result>(byId(document))
  const { session, tenant } = useSession()
  // At another tenant it is another act, and so is another person's.
  const act = [document.id, tenant?.id ?? '', session.person.id].join(' ')
  return async (variables) => {
    const { data, error } = await execute(variables as AnyVariables, { fetchOptions: actFetch(keyOf(act, variables)) })
    if (error || !data) return { refused: refusedBy(error) }
    const [payload] = Object.values(data) as ({ errors: readonly MutationError[] } | null)[]
    const [problem] = payload?.errors ?? []
    if (!problem) {
      forgetAct(act)
      return { data }
    }
    const { code, message, path, details } = problem
    const field = path?.findLast((name) => !/^\d+$/.test(name))
    return { refused: { code, message, field, details: details ?? undefined } }
  }
}
