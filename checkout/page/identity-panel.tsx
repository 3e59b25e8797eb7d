import { useEffect, useState } from 'preact/hooks'
import type { Act } from './actions.js'
import { keptPlace, type IdentityPlace } from './identity-place.js'
import { Alert, Field, focusFirstProblem, PayButton } from './fields.js'
import type { Messages } from './messages/messages.js'
import { fill } from './text.js'

/** How often is asked whether the verification is through. */
const POLL_MS = 3_000

/** Notes that a step is behind him. */
function passStep(step: IdentityPlace['step']): void {
  const place = keptPlace()
  if (place) keptPlace({ ...place, step })
}

interface IdentityProps {
  /** Whose it is, as the payer has typed it. */
  email: string
  act: Act
  messages: Messages
  /** The identity is verified: the payment can go on. */
  onDone: () => void
  /** The payer wants another address, or another way to pay. */
  onBack: () => void
}

/** Where a verification is, as the server says it. */
interface Verification {
  state: string
  url?: string
}

/** What the next step is asked with, from here on. */
interface Proof {
  email: string
  /** Left out after a reload: the browser has it in a cookie. */
  proof?: string
}

/** Asks for the code that was sent by e-mail, then for the verification service, and waits until that has approved. */
export function IdentityPanel(props: IdentityProps) {
  const { email, messages, onBack } = props
  const { identity: texts } = messages
  const { isSent, proof, found, problem, isBusy, send, begin, confirm } = useIdentity(props)
  return (
    <div data-test="identity">
      <h3 class="wide">{texts.title}</h3>
      {!isSent && <p class="intro">{fill(texts.why, { email })}</p>}
      {proof && found && <Hosted {...found} onAgain={() => void begin(proof)} texts={texts} />}
      <Alert text={problem} />
      {isSent && !proof && <CodeForm email={email} onCode={confirm} isBusy={isBusy} messages={messages} />}
      {proof && !found && !isBusy && (
        <button class="primary" type="button" data-test="identity-again" onClick={() => void begin(proof)}>
          {messages.retry}
        </button>
      )}
      {!proof && (
        <button
          class={isSent ? 'button' : 'primary'}
          type="button"
          data-test="identity-send"
          disabled={isBusy}
          onClick={() => void send()}
        >
          {isSent ? texts.sendAgain : texts.send}
        </button>
      )}
      <button class="button" type="button" data-test="identity-back" onClick={onBack}>
        {texts.back}
      </button>
    </div>
  )
}

/** Where the payer is, and how he goes on. */
function useIdentity({ email, act, messages, onDone }: IdentityProps) {
  const { errors } = messages
  // Where he was before the page was loaded again.
  const [step] = useState(() => keptPlace()?.step)
  const [isSent, setSent] = useState(step === 'sent' || step === 'proved')
  const [proof, setProof] = useState<Proof | undefined>(step === 'proved' ? { email } : undefined)
  const [found, setFound] = useState<Verification>()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const ask = async <Given,>(name: string, body: object): Promise<Given | undefined> => {
    setBusy(true)
    setProblem(undefined)
    const outcome = await act<Given>(name, body)
    setBusy(false)
    if (outcome.ok) return outcome.given
    setProblem(errors[outcome.code] ?? errors.other)
    return undefined
  }
  const learn = (now: Verification): void => {
    if (now.state === 'approved') onDone()
    else setFound((before) => ({ ...before, ...now }))
  }
  const send = async (): Promise<void> => {
    if (await ask('identity-code', { email, language: messages.locale.slice(0, 2) })) {
      passStep('sent')
      setSent(true)
    }
  }
  const begin = async (proved: Proof): Promise<void> => {
    const given = await ask<Verification>('identity-session', proved)
    if (given) learn(given)
  }
  const confirm = async (code: string): Promise<void> => {
    const given = await ask<{ proof: string }>('identity-proof', { email, code })
    if (!given) return
    const proved = { email, proof: given.proof }
    passStep('proved')
    setProof(proved)
    await begin(proved)
  }
  useEffect(() => {
    if (step !== 'proved') return
    setBusy(true)
    void act<Verification>('identity-state', { email }).then((outcome) => {
      setBusy(false)
      if (outcome.ok && outcome.given.state !== 'pending') learn(outcome.given)
      // The service's address is told to who begins, or goes on.
      else if (outcome.ok) void begin({ email })
      // The proof is too old, or the browser has not kept it.
      else if (outcome.code === 'identity_not_verified') {
        setProof(undefined)
        setSent(false)
      } else setProblem(errors[outcome.code] ?? errors.other)
    })
  }, [])
  usePolling(act, found && proof, learn)
  return { isSent, proof, found, problem, isBusy, send, begin, confirm }
}

/** Asks again and again how far a verification is. @param proof undefined where none is under way */
function usePolling(act: Act, proof: Proof | undefined, onState: (now: Verification) => void): void {
  useEffect(() => {
    if (!proof) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'hidden') return
      void act<Verification>('identity-state', proof).then((outcome) => {
        if (outcome.ok) onState(outcome.given)
      })
    }, POLL_MS)
    return () => {
      clearInterval(timer)
    }
  }, [proof])
}

interface CodeFormProps {
  email: string
  onCode: (code: string) => Promise<void>
  isBusy: boolean
  messages: Messages
}

function CodeForm({ email, onCode, isBusy, messages }: CodeFormProps) {
  const { identity: texts } = messages
  const [code, setCode] = useState('')
  const [bad, setBad] = useState<string>()
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const isCode = /^\d{6}$/.test(code)
        setBad(isCode ? undefined : texts.badCode)
        if (!isCode) focusFirstProblem(event.currentTarget)
        else if (!isBusy) void onCode(code)
      }}
    >
      <p class="intro" role="status">
        {fill(texts.sent, { email })}
      </p>
      <Field
        name="identity-code"
        label={texts.code}
        value={code}
        onValue={(typed) => {
          setCode(typed.replace(/\D/g, '').slice(0, 6))
        }}
        problem={bad}
        inputMode="numeric"
        autocomplete="one-time-code"
        maxLength={7}
        wide
      />
      <PayButton label={texts.confirm} isBusy={isBusy} messages={messages} />
    </form>
  )
}

/** The way to the verification service, in a tab of its own: camera and documents are none of this page's business. */
function Hosted({ state, url, onAgain, texts }: Verification & { onAgain: () => void; texts: Messages['identity'] }) {
  const isOver = ['declined', 'expired', 'abandoned'].includes(state)
  const said = state === 'in_review' ? texts.inReview : isOver ? texts.declined : texts.open
  return (
    <>
      <p class={isOver ? 'alert' : 'intro'} role="status" data-test="identity-state" data-state={state}>
        {said}
      </p>
      {isOver && (
        <button class="primary" type="button" data-test="identity-again" onClick={onAgain}>
          {texts.again}
        </button>
      )}
      {state === 'pending' && url !== undefined && (
        <a class="primary wallet" data-test="identity-open" href={url} target="_blank" rel="noreferrer">
          {texts.go}
        </a>
      )}
    </>
  )
}
