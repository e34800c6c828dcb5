/**
 * Words that may stand in a redacted message: those of our own sentences of looks and errors, and of what Kubernetes, Go and
 * Node.js say of a request. Whatever is not among them may be a name.
 */
export const vocabulary: ReadonlySet<string> = new Set(
  `
a a66 able about address addresses admission affinity again agent agents ahead all allowed alone already always
ambient among an and annotations anonymous another answer answered answering answers any anything apart api apis
apiversion app apps are argument as ask asked asking asks at auth authority autoscaler autoscaling available b backend
backends backoff balancer base64 baseline basic be bearer been before began begin behind belong beside between binding
blind body breaks buffer busy but by byte bytes ca call called calls came cannot carried carry cat catalogue
certificate certificates certs cgroup chain change changed changes character characters check choose chooses ci cilium
ciliumnetworkpolicies circle clear client clients clipboard clock closed cluster clusterip clusterrole clusters cni
code com come command compare complete completion conditions config configmap configmaps configure configured conflict
connect connection connections contain container context control controllers convert copied copy correct could count
counted counters cpu crd create creation credential credentials crt current cut daemonsets data dbg deadline decides
declared default deleted denied deployer deployments destinationrules diagnose diagnosing diagnosis dial dialing did
directory discovery do does done drawn duration each eai earlier econnrefused econnreset ehostunreach else end ended
endpoint endpoints endpointslice endpointslices ends enotfound envoy eof error established etimedout events every
example exceeded exec execcredential execs executable exist exists exit expired export extension externalname extra
fail failed failing failure faster felixconfiguration felixconfigurations fewer fields file files filter first fix
flag folder for forbidden forward found free from front gateway gateways gave gcloud get gets gib give given gives gke
goes gone group groups grpc grpcroutes h had handshake hang has headers health help here hold holds hop
horizontalpodautoscalers host hot hour how html http httproutes https i id if image impersonate impersonating
impersonation in includes ingress ingresses input insecure instead interactivemode internal into invalid io is istio
istiod it its join json k8s kept key kib killing kind know known knows kube kubeconfig kubectl kubelet kubelets
kubelogin kubernetes lab label labels last later layer lead leads leave leaves left legal length let like limit limits
line linkerd list listed listens live load local log login long longer look looked looking looks lookup m machine
malformed many map markdown may mean meant memory mesh message met metrics mib min minutes misbehaving missing
monitoring more most move ms much must mutual n name named names namespace namespaces near needs neither net netstat
network networking never no node nodes none nor not note nothing now null number o object objects occurred of often
oidc old older on once one only opentelemetry or org other out output outside over own page pages part partial pass
path peer pem pending perhaps permissions plain plane planned please plugin pod pods policies policy port ports post
printing probe prober probes proc program projectcalico prometheus promise protocol provider proxies proxy q query
raise rate raw rbac reach reached read ready readyz really reason record recording redirects refused registered renew
replicasets report request requesting requests required reset resets resolved resource response restarting restarts
result return right role root round route routes rpc rules run running runs runtime s said same sample save saved says
scan scenario scope second seconds see seen sees select selector selectors selects self sent series server serves
service serviceaccount services set sets several shares shell should show side sidecar sidecars signal signals signed
since skew skip slowly so socket sockets socks5 something speak speaks specifying ss stand standard stands start
started starts state statefulsets status stay stays stdout stopped strict such sum supported svc system table taken
takes taking target tcp tcp6 team tell tells temporary terminated test text than that the their them themselves then
there these they this those throttled throttling through time timeout times tls tn tni to together token too took
total traffic trafficdistribution tried trusted try trying twice txt type ui uid unable unauthorized undefined uneven
unhealthy unknown unreachable up upgrade upgrades url use user utf8 v1 v1beta1 valid variable verdict verify versions
virtualservices vpn waiting wants warning warnings warns was watch way waypoints webhook websocket were what whatever
when where whether which who whole whom whose why wide window with within without words work workload workloads write
writes written wrote x509 xds yaml yet
`
    .trim()
    .split(/\s+/),
);
