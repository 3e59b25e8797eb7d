import type { Messages } from './messages/messages.js'
import type { Method } from './view.js'

interface MethodChoiceProps {
  methods: readonly Method[]
  /** The one that is chosen already; undefined where these are other ways than that. */
  method?: Method
  onMethod: (method: Method) => void
  messages: Messages
}

/** The ways to pay. */
export function MethodChoice({ methods, method, onMethod, messages }: MethodChoiceProps) {
  return (
    <>
      <fieldset class={method ? 'methods' : 'methods other'}>
        <legend class={method && 'unseen'}>{method ? messages.chooseMethod : messages.otherMethod}</legend>
        {methods.map((name) => (
          <button
            key={name}
            type="button"
            class="method"
            data-test={`method-${name}`}
            aria-pressed={method && name === method}
            onClick={() => {
              onMethod(name)
            }}
          >
            {messages.methods[name]}
          </button>
        ))}
      </fieldset>
      <noscript>
        <p class="alert">{messages.noScript}</p>
      </noscript>
    </>
  )
}
