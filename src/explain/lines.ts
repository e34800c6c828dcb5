import { limits } from '../facts/limits.ts';
import type { Meaning } from '../report/meaning.ts';
import { percent } from '../report/words.ts';

/** What stands at the left of a line of a report or of the details of the live view, and the words at its right. */
export const lineFacts: readonly Meaning[] = [
  {
    id: 'impact',
    title:
      'Does it hurt now: the hottest pod against its own limits, what was killed or restarted, what nobody answers',
    means: ['the word at the right sums it up: explain harm'],
  },
  {
    id: 'harm',
    title: 'How much it hurts now, apart from how uneven the load is',
    means: [
      'HARM: a pod was killed or restarted within the hour, does not read what clients send, or none is Ready',
      `at risk: a pod is at ${percent(limits.hotCpuPart)} of its CPU limit or more, near its memory limit, or throttled in ${percent(limits.throttledPart)} of its CPU periods`,
      'no harm, no harm yet: neither; a skewed load may hurt with the next peak',
      'not known: CPU and memory were not seen',
    ],
    says: ['at risk', 'risk', 'no harm', 'no harm yet'],
  },
  {
    id: 'since',
    title: 'When it began, as far as the cluster tells',
    means: ['a scaling, a rollout or a restart that it fits; or when Prometheus shows that the load turned uneven'],
  },
  {
    id: 'why',
    title: 'The cause that is most certain, and how sure it is',
    means: ['-o wide and the second screen have all causes, with what speaks for and against each'],
  },
  {
    id: 'now',
    title: 'What to do in the next minutes, and what to leave alone',
    means: ['it changes no code; the lines "first", "relief" and "avoid" have all of it, with the commands'],
  },
  {
    id: 'fix',
    title: 'What ends it for good: the recommended strategy',
    means: ['kubectl grpc-skew fix SERVICE prints the change'],
  },
  {
    id: 'settle-it',
    title: 'The one look that would decide what is open',
    means: ['of a verdict that is unknown, of a cause that is not certain, or of a comparison that cannot tell'],
    says: ['settle it', 'settle'],
  },
  {
    id: 'compared',
    title: 'The result against the run that --baseline names',
    means: ['explain improved, unchanged, worse or cannot-tell says when it is which'],
    says: ['before', 'after'],
  },
  {
    id: 'warn',
    title: 'What else may hurt or mislead, beside the causes',
    means: ['the most harmful first; what stands before the colon can be explained, too'],
    says: ['warning', 'warnings'],
  },
  {
    id: 'measured',
    title:
      'By which measure the load was taken, over which time, how old the figures are, and which commands ran in pods',
    means: ['explain load says which measure is taken'],
    says: ['sources'],
  },
  {
    id: 'strategy',
    title: 'What to do with which of the five ways of balancing',
    means: [
      'keep: it stays as it is; adopt: another one; complete: a part of it is missing; repair: it is there and does not work',
      'the first rule of the list that applies decides: -o wide names it, and explain "rule 9" says when it does',
    ],
    says: ['keep', 'adopt', 'complete', 'repair', 'role', 'recommended', 'in place', 'in-place'],
  },
  {
    id: 'or',
    title: 'The strategy to take where the recommended one cannot be',
    means: ['as where the clients are not yours to change'],
    says: ['alternative'],
  },
  {
    id: 'first',
    title: 'What comes before any change of strategy',
    means: ['the real fault, or the look that settles the cause; below it the command that shows more'],
  },
  {
    id: 'because',
    title: 'Why this strategy and no other, with the figures of this Service',
    means: ['the reasons of the rule that decided'],
  },
  {
    id: 'relief',
    title: 'What helps within minutes, without a change of code',
    means: [
      'printed, never run; the effect is worked out from the connections as they are, the risk is what it costs',
      '"2.7 → about 3.6 busy pods": so many pods are used now, and so many on average afterwards',
    ],
    says: ['risk:'],
  },
  {
    id: 'avoid',
    title: 'What would make it worse, or help nothing, and why',
    means: ['what looks like a remedy and is none for this cause'],
  },
  {
    id: 'left-out',
    title: 'What was seen and not counted',
    means: ['connections that carry no calls of clients, as probes and scrapes; of a scan, Services without a verdict'],
    says: ['left out'],
  },
  {
    id: 'for-and-against',
    title: 'What was seen that speaks for a cause or strategy here, and what against it',
    means: ['a cause with nothing against it need not be certain: its rule of confidence says what it takes'],
    says: ['for', 'against'],
  },
  {
    id: 'needs',
    title: 'What a strategy presupposes',
    means: ['met, NOT MET: it was seen; not known: look before you rely on it'],
    says: ['met', 'not met'],
  },
  {
    id: 'not-known',
    title: 'It could not be told from what was seen',
    means: ['never the same as none: a dash in a table says it, too'],
    says: ['not known'],
  },
  {
    id: 'costs',
    title: 'What a strategy costs here',
    means: ['connections, reconnects, a hop more, something to run'],
  },
  {
    id: 'new-pods',
    title: 'When a pod that comes later gets its share of the calls',
    means: ['at once, when connections end, or not until clients reconnect'],
    says: ['new pods', 'new pods get traffic'],
  },
  {
    id: 'also',
    title: 'Other causes that were found, less certain than the one at "why"',
    means: ['-o wide says what speaks for them'],
  },
  {
    id: 'worst',
    title: 'The first Service of a scan that needs a look, and the command for it',
    means: ['Services are sorted by harm, and by how much of their pods is of no use'],
  },
  {
    id: 'findings',
    title: 'What is wrong with probes, how sure that is, and in how many pods',
    means: ['the name at the right can be explained'],
  },
  {
    id: 'port',
    title: 'The port of the Service that the report is about, and what its declaration means to a mesh or gateway',
    means: ['--port chooses another one'],
  },
  {
    id: 'stale',
    title: 'The cluster does not answer, and what is shown is as old as it says',
    means: ['the whole error stands beside it, and it is asked again and again'],
  },
  {
    id: 'id',
    title: 'The name of a cause that stays the same in every output',
    means: ['scripts find it in JSON, and explain takes it'],
  },
  {
    id: 'note',
    title: 'What to know of the figures or of the change beside it',
    means: ['it changes nothing in the verdict'],
  },
  {
    id: 'sockets',
    title: 'Whether the sockets of clients tell which address they dialled',
    means: ['eBPF may rewrite destinations when a client connects: then they do not'],
  },
  {
    id: 'limits',
    title: 'The limits that the verdict used',
    means: ['names and figures as in the document; the page on the verdict says what each is'],
  },
  {
    id: 'missing',
    title: 'What the verdict still waits for while a first look goes on',
    means: ['until it has come nothing is more than likely'],
    says: ['so far'],
  },
  {
    id: 'flapping',
    title: 'What came and went while the live view was open, and how often',
    means: [
      'why, now and fix stay those of the worst of that time: advice that turns round every 15 seconds helps nobody',
    ],
  },
  {
    id: 'looking',
    title: 'A first look goes on: there is no verdict yet',
    means: ['the lines below say what is asked; each comes once, and again from time to time'],
  },
  {
    id: 'no-list',
    title: 'The Services could not be listed, and none was seen yet: the cluster did not answer, or refused',
    means: ['"next" says what to do; the live view asks again by itself'],
    says: ['no list', 'next'],
  },
  {
    id: 'nothing',
    title: 'No Service that looks like gRPC was found where it was looked',
    means: ['by appProtocol, the name of the port, a gRPC probe behind it, or port 50051; any Service can be named'],
  },
  {
    id: 'no-change',
    title: 'Why there is no manifest to print',
    means: ['as where the strategy is in place already, or the clients are not known well enough'],
    says: ['no change'],
  },
];
