// WEBHOOK_SECRET=whsec_… PORT=3000 go run receiver.go     (Go 1.19 or newer)
// During a rotation: WEBHOOK_SECRET=whsec_new,whsec_old
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

var keys = keysOf(os.Getenv("WEBHOOK_SECRET"))

func main() {
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), http.HandlerFunc(receive)))
}

func keysOf(secrets string) (keys [][]byte) {
	for _, secret := range strings.Split(secrets, ",") {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 {
			log.Fatal("WEBHOOK_SECRET is not set")
		}
		keys = append(keys, key)
	}
	return keys
}

func receive(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil || !isGenuine(request.Header, body) {
		response.WriteHeader(http.StatusUnauthorized)
		return
	}
	if err := keep(request.Header.Get("webhook-id"), body); err != nil {
		log.Println(err)
		// The event is delivered again later.
		response.WriteHeader(http.StatusInternalServerError)
		return
	}
	response.WriteHeader(http.StatusNoContent)
}

// The body is the bytes as they came: JSON parsed and written again has other bytes.
func isGenuine(header http.Header, body []byte) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	sentAt, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(sentAt, 0)).Abs() > tolerance {
		return false
	}
	// X-Webhook-Event-Id is not signed: a changed one would make a repeat look new.
	if named := header.Get("X-Webhook-Event-Id"); named != "" && named != id {
		return false
	}
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + timestamp + "."))
		mac.Write(body)
		expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		for _, given := range strings.SplitN(header.Get("webhook-signature"), " ", 3) {
			if hmac.Equal([]byte(given), []byte(expected)) {
				return true
			}
		}
	}
	return false
}

// Put it into a queue or table here, once per event id, and do the work later.
func keep(eventID string, body []byte) error {
	var delivery struct{ Event string }
	if err := json.Unmarshal(body, &delivery); err != nil {
		return err
	}
	log.Println(eventID, delivery.Event)
	return nil
}
