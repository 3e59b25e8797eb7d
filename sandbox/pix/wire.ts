/** The objects of the API Pix 2.9.0 as far as the simulator has them. */

export interface Cob {
  txid: string
  revisao: number
  calendario: { criacao: string; expiracao: number }
  devedor?: Record<string, string>
  loc: { id: number; txid: string; location: string; tipoCob: 'cob'; criacao: string }
  location: string
  status: 'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR' | 'REMOVIDA_PELO_PSP'
  valor: { original: string; modalidadeAlteracao?: number }
  chave: string
  solicitacaoPagador?: string
  infoAdicionais?: unknown[]
  pixCopiaECola: string
  pix: Pix[]
}

export interface Pix {
  endToEndId: string
  /** Absent where somebody has paid to the key, without a charge. */
  txid?: string
  valor: string
  chave: string
  horario: string
  infoPagador?: string
  /** Who paid: optional in API Pix, and only of some providers. */
  pagador?: { cpf?: string; cnpj?: string; nome: string }
  /** Efí's extension: the tariff of receiving it. */
  gnExtras?: { tarifa: string }
  devolucoes: Devolucao[]
}

export interface Devolucao {
  id: string
  rtrId: string
  valor: string
  natureza: 'ORIGINAL' | 'RETIRADA' | 'MED_OPERACIONAL' | 'MED_FRAUDE'
  horario: { solicitacao: string; liquidacao?: string }
  status: 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO'
  motivo?: string
}

export interface Webhook {
  chave: string
  webhookUrl: string
  criacao: string
}

/** The kinds of refusals with their HTTP statuses (API Pix 2.9.0, "Tratamento de erros"). */
const PROBLEMS = {
  RequisicaoInvalida: 400,
  CobOperacaoInvalida: 400,
  PixConsultaInvalida: 400,
  PixDevolucaoInvalida: 400,
  WebhookOperacaoInvalida: 400,
  AcessoNegado: 403,
  NaoEncontrado: 404,
  CobNaoEncontrado: 404,
  PixNaoEncontrado: 404,
  PixDevolucaoNaoEncontrada: 404,
  WebhookNaoEncontrado: 404,
  ErroInternoDoServidor: 500,
  ServicoIndisponivel: 503,
} as const

/** A refusal in the provider's words; sent as `application/problem+json`. */
export class PixProblem extends Error {
  override readonly name = 'PixProblem'
  readonly body: object
  readonly httpStatus: number

  constructor(
    kind: keyof typeof PROBLEMS,
    detail: string,
    options: { property?: string; value?: string; httpStatus?: number } = {},
  ) {
    super(detail)
    const { property: propriedade, value: valor, httpStatus = PROBLEMS[kind] } = options
    this.httpStatus = httpStatus
    this.body = {
      type: `https://pix.bcb.gov.br/api/v2/error/${kind}`,
      title: kind,
      status: httpStatus,
      detail,
      ...(propriedade !== undefined && {
        violacoes: [{ razao: detail, propriedade, ...(valor !== undefined && { valor }) }],
      }),
    }
  }
}

/** A valor in cents; undefined where its form is not `\d{1,10}\.\d{2}`. */
export function centsOf(valor: unknown): number | undefined {
  return typeof valor === 'string' && /^\d{1,10}\.\d{2}$/.test(valor) ? Number(valor.replace('.', '')) : undefined
}
