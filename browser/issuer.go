package browser

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/hex"
	"math/big"
	"net"
	"sync"
	"time"
)

// issuer makes the certificates of recorded origins. All bear one key, made
// for this browser alone and pinned on its command line; nothing else trusts it.
type issuer struct {
	key  *ecdsa.PrivateKey
	pin  string // SHA-256 of the public key, base64: what the browser accepts
	host string // name under which the browser finds the proxies

	mu    sync.Mutex
	certs map[string]*tls.Certificate
}

func newIssuer() (*issuer, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	spki, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(spki)
	return &issuer{
		key: key, pin: base64.StdEncoding.EncodeToString(sum[:]),
		host:  "p" + hex.EncodeToString(sum[:8]) + ".invalid",
		certs: map[string]*tls.Certificate{},
	}, nil
}

// certificate is the one for the host, made at first use.
func (is *issuer) certificate(host string) (*tls.Certificate, error) {
	is.mu.Lock()
	defer is.mu.Unlock()
	if c := is.certs[host]; c != nil {
		return c, nil
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(int64(len(is.certs) + 1)),
		Subject:      pkix.Name{CommonName: host},
		NotBefore:    time.Now().Add(-24 * time.Hour),
		NotAfter:     time.Now().Add(30 * 24 * time.Hour),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{host}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &is.key.PublicKey, is.key)
	if err != nil {
		return nil, err
	}
	c := &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: is.key}
	is.certs[host] = c
	return c, nil
}
