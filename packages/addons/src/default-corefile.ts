/**
 * The Corefile of a new cluster: the cluster domain from the API, everything else from the resolvers of the node.
 *
 * @param dnsDomain `networking.dnsDomain`; answers of this domain are not cached, as CoreDNS holds them in memory anyway
 */
export function defaultCorefile(dnsDomain: string): string {
  return `.:53 {
    errors
    health {
       lameduck 5s
    }
    ready
    kubernetes ${dnsDomain} in-addr.arpa ip6.arpa {
       pods insecure
       fallthrough in-addr.arpa ip6.arpa
       ttl 30
    }
    prometheus :9153
    forward . /etc/resolv.conf {
       max_concurrent 1000
    }
    cache 30 {
       disable success ${dnsDomain}
       disable denial ${dnsDomain}
    }
    loop
    reload
    loadbalance
}
`;
}
